import DeskCrypto
import DeskHTTP
import Synchronization

/// An answer's body on its way through a cipher.
final class DecryptedBody: BodySource {
    private let body: RequestBody
    private let cipher: Mutex<AESCounter>

    init(_ body: RequestBody, _ cipher: AESCounter) {
        self.body = body
        self.cipher = Mutex(cipher)
    }

    /// Waits for the next piece; nil at the end.
    func next() async throws(BodyError) -> [UInt8]? {
        guard let piece = try await body.next() else { return nil }
        return cipher.withLock { $0.apply(piece) }
    }
}
