import DeskCrypto
import DeskLog
import DeskModel
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

    /// What is to be said of a certificate that is not valid at a moment, too early or too late; nil where it is.
    func remark(on context: TLSContext, at now: Timestamp) -> String? {
        let validity = context.validity
        guard !validity.contains(now.milliseconds / 1_000) else { return nil }
        let (begin, end) = (validity.lowerBound, validity.upperBound)
        return "the certificate in \(chain) is not valid now: it is from "
            + "\(Timestamp(seconds: begin).text) to \(Timestamp(seconds: end).text)"
    }

    /// Reads both for the server, shows when the certificate ends, and logs one that is not valid now.
    func context(_ log: Log, _ metrics: Metrics) throws(Installation.Failure) -> TLSContext {
        let context = try context()
        metrics.gauge(
            "frontdesk_certificate_end_timestamp_seconds",
            help: "When the certificate of the server's own TLS ends, since 1970."
        ).set(Int(clamping: context.validity.upperBound))
        if let remark = remark(on: context, at: TimeSource.system.now()) {
            log.warning("certificate_not_valid", ["reason": .text(remark)])
        }
        return context
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
