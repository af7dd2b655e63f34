public import DeskHTTP
import DeskModel
import DeskStore

/// The way in for integrations: `Authorization: Bearer fd_…`.
public struct KeyDoor: Door {
    private let keys: KeyRing

    /// Opens the door to the keys of a house.
    public init(services: Services) { keys = services.keys }

    /// Finds the key's principal; two credentials in one request are none.
    public func findPrincipal(of request: Request) async throws(Problem) -> Principal? {
        let fields = request.headers.values("authorization")
        guard fields.count == 1, let field = fields.first,
            field.utf8.count < 512, let space = field.utf8.firstIndex(of: 0x20),
            field[..<space].utf8.lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8),
            let secret = KeySecret(field[field.utf8.index(after: space)...])
        else { return nil }
        do {
            return try await keys.findPrincipal(secret).map { .key($0) }
        } catch {
            throw Problem(error)
        }
    }
}
