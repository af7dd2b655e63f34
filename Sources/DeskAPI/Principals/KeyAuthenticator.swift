public import DeskHTTP
import DeskModel
import DeskStore
public import DeskWeb

/// Authenticates integrations by `Authorization: Bearer fd_…`.
public struct KeyAuthenticator: Authenticator {
    private let keys: KeyRing

    /// Authenticates against the keys of a server.
    public init(services: Services) { keys = services.keys }

    /// Finds the principal of a key; a request with two `Authorization` fields has none.
    public func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        guard let bytes = request.headers.onlyBytes("authorization"), bytes.count < 512,
            let space = bytes.firstIndex(of: 0x20),
            bytes[..<space].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
            let secret = KeySecret(bytes: bytes[(space + 1)...])
        else { return nil }
        do {
            return try await keys.findPrincipal(secret).map { Authenticated(.key($0)) }
        } catch {
            throw Problem(error)
        }
    }
}
