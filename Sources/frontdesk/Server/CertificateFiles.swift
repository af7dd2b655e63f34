import DeskCrypto
import DeskStore
import Glibc

/// The files of a certificate and its key, with a sentence for whatever is wrong with them.
struct CertificateFiles {
    let chain: String
    let key: String

    /// Reads both.
    func context() throws(Installation.Failure) -> TLSContext {
        try requireReadable(chain, "certificate")
        try requireReadable(key, "private key")
        do throws(CryptoError) {
            return try TLSContext(certificateChain: chain, privateKey: key)
        } catch {
            switch error.step {
            case "certificate":
                throw Installation.Failure(
                    "\(chain) is no certificate chain in PEM (\(error.reason))",
                    hint: "the server's own certificate comes first, then the others")
            case "private key":
                throw Installation.Failure(
                    "\(key) is no private key in PEM without a passphrase (\(error.reason))")
            case "key of another certificate":
                throw Installation.Failure(
                    "the private key in \(key) does not belong to the certificate in \(chain)")
            default:
                throw Installation.Failure(
                    "the certificate in \(chain) cannot be used: \(error.reason)")
            }
        }
    }

    private func requireReadable(_ path: String, _ what: String) throws(Installation.Failure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Installation.Failure(
                "the \(what) \(path) cannot be read: \(SystemWords.text(errno))")
        }
        close(descriptor)
    }
}
