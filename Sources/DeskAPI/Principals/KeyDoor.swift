public import DeskHTTP
import DeskModel
import DeskStore

/// The way in for integrations: `Authorization: Bearer fd_…`.
public struct KeyAuthenticator: Door {
    private let keys: KeyRing

    /// Opens the door to the keys of a server.
    public init(services: Services) { keys = services.keys }

    /// Finds the key's principal; two credentials in one request are none.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        guard let bytes = request.headers.onlyBytes("authorization"), bytes.count < 512,
            let space = bytes.firstIndex(of: 0x20),
            bytes[..<space].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
            let secret = KeySecret(bytes: bytes[(space + 1)...])
        else { return nil }
        do {
            return try await keys.findPrincipal(secret).map { .key($0) }
        } catch {
            throw Problem(error)
        }
    }
}
