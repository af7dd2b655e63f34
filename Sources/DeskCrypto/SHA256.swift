import COpenSSL
import Synchronization

/// The SHA-256 digest of bytes: 32 bytes, compared in constant time by `constantTimeEquals`.
public struct SHA256: ~Copyable {
    /// Bytes of a digest.
    public static let byteCount = 32

    private let context: DigestContext

    /// Starts a digest over bytes that come in pieces.
    public init() {
        context = unsafe DigestContext(Digests.sha256)
    }

    /// Adds bytes to the digest.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable {
            unsafe context.update($0)
        }
        if done == nil {
            unsafe Array(bytes).withUnsafeBufferPointer { unsafe context.update($0) }
        }
    }

    /// Ends the digest and returns its 32 bytes.
    public consuming func finish() -> [UInt8] { context.finish(count: SHA256.byteCount) }

    /// The digest of a whole array.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }

    /// The digest of contiguous bytes, which nearly all are; spares asking for their layout.
    public static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let context = unsafe DigestContext(Digests.sha256)
        unsafe bytes.withUnsafeBufferPointer { unsafe context.update($0) }
        return context.finish(count: SHA256.byteCount)
    }

    /// The digest as four words, most significant byte first, for callers that store it without an array.
    public static func words(_ bytes: RawSpan) -> (UInt64, UInt64, UInt64, UInt64) {
        let context = unsafe DigestContext(Digests.sha256)
        unsafe bytes.withUnsafeBytes { raw in
            unsafe raw.withMemoryRebound(to: UInt8.self) { unsafe context.update($0) }
        }
        let words = context.finishWords()
        return (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    }

    /// The digest of a text's UTF-8.
    public static func digest(_ text: String) -> [UInt8] { digest(text.utf8) }
}

/// The SHA-1 digest; only for the WebSocket handshake, which prescribes it.
public enum SHA1 {
    /// The 20 bytes of the digest.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let context = unsafe DigestContext(Digests.sha1)
        unsafe Array(bytes).withUnsafeBufferPointer { unsafe context.update($0) }
        return context.finish(count: 20)
    }
}

/// The algorithms, fetched once; OpenSSL 3.0 would look them up again, under a lock, at each implicit use.
enum Digests {
    // Safe: an EVP_MD is immutable and lives until the process ends.
    nonisolated(unsafe) static let sha256 = unsafe fetch("SHA256")
    nonisolated(unsafe) static let sha1 = unsafe fetch("SHA1")

    private static func fetch(_ name: String) -> OpaquePointer {
        guard let found = unsafe EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("libcrypto has no \(name)")
        }
        return unsafe found
    }
}

/// Owns one EVP_MD_CTX.
@safe private final class DigestContext {
    /// The context of a digest that ended, for the next one: to make and free one costs a fifth of a
    /// digest of 72 bytes, and the store's writer makes one of each message.
    // Safe: who exchanges it alone has it.
    nonisolated(unsafe) private static let spare = unsafe Atomic<OpaquePointer?>(nil)

    private let handle: OpaquePointer
    /// Whether libcrypto wiped the bytes, as it does when a digest ends.
    private var hasEnded = false

    init(_ algorithm: OpaquePointer) {
        let spare = unsafe Self.spare.exchange(nil, ordering: .acquiring)
        guard let handle = unsafe spare ?? EVP_MD_CTX_new() else {
            preconditionFailure("out of memory")
        }
        unsafe self.handle = handle
        let code = unsafe EVP_DigestInit_ex2(handle, algorithm, nil)
        precondition(code == 1, "EVP_DigestInit_ex2 refused a fetched digest")
    }

    deinit {
        let other =
            unsafe hasEnded
            ? Self.spare.exchange(handle, ordering: .acquiringAndReleasing) : handle
        unsafe EVP_MD_CTX_free(other)
    }

    func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty else { return }
        let code = unsafe EVP_DigestUpdate(handle, bytes.baseAddress, bytes.count)
        precondition(code == 1, "EVP_DigestUpdate failed")
    }

    func finish(count: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        let code = unsafe digest.withUnsafeMutableBufferPointer {
            unsafe EVP_DigestFinal_ex(handle, $0.baseAddress, nil)
        }
        precondition(code == 1, "EVP_DigestFinal_ex failed")
        hasEnded = true
        return digest
    }

    /// The end of a digest of 32 bytes, as they lie in memory.
    func finishWords() -> (UInt64, UInt64, UInt64, UInt64) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let code = unsafe withUnsafeMutableBytes(of: &words) {
            unsafe EVP_DigestFinal_ex(handle, $0.baseAddress, nil)
        }
        precondition(code == 1, "EVP_DigestFinal_ex failed")
        hasEnded = true
        return words
    }
}
