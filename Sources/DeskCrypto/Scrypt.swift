import COpenSSL

/// scrypt (RFC 7914) for passwords: slow and large on purpose.
///
/// Thread: uses a quarter of a second of one core; call it where blocking is allowed.
public struct Scrypt: Sendable, Hashable {
    /// The cost in time and memory; a power of two.
    public var cost: UInt64
    /// The block size.
    public var blockSize: UInt64
    /// How many times the work is repeated.
    public var parallelism: UInt64

    /// OWASP's strength for N=2^15: 32 MiB for each call.
    public static let password = Scrypt(cost: 1 << 15, blockSize: 8, parallelism: 3)

    /// Makes parameters; weak ones are for tests.
    public init(cost: UInt64, blockSize: UInt64, parallelism: UInt64) {
        self.cost = cost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Derives `byteCount` bytes from a password.
    ///
    /// - Throws: when libcrypto refuses the parameters, or has no memory for them.
    public func derive(
        password: [UInt8], salt: [UInt8], byteCount: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        // Twice what the algorithm needs; the default cap of 32 MiB refuses OWASP's parameters.
        let most = 2 * 128 * blockSize * (cost + parallelism + 2)
        // A null password means "no derivation" to libcrypto, so the empty password gets an address too.
        let secret = password.map { CChar(bitPattern: $0) } + [0]
        let code = unsafe key.withUnsafeMutableBufferPointer { output in
            unsafe EVP_PBE_scrypt(
                secret, password.count, salt, salt.count, cost, blockSize, parallelism, most,
                output.baseAddress, output.count)
        }
        guard code == 1 else { throw CryptoError("scrypt") }
        return key
    }
}
