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
        guard let secret = Self.secret(of: request) else { return nil }
        let found: KeyRing.Found?
        do {
            found = try await keys.find(secret, from: request.peer.address)
        } catch {
            throw Problem(error)
        }
        switch found {
        case nil: return nil
        case .principal(let key): return Authenticated(.key(key))
        case .refused(let refusal): throw Problem(refusal, from: request.peer.address)
        }
    }

    /// The key that a request shows, whatever it is worth.
    static func secret(of request: Request) -> KeySecret? {
        guard let bytes = request.headers.onlyBytes("authorization"), bytes.count < 512,
            let space = bytes.firstIndex(of: 0x20),
            bytes[..<space].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8)
        else { return nil }
        return KeySecret(bytes: bytes[(space + 1)...])
    }
}

extension Problem {
    /// Says to who has the right secret why the key is refused.
    fileprivate init(_ refusal: KeyRing.Refusal, from address: String) {
        switch refusal {
        case .expired(let time):
            self.init(
                .unauthenticated,
                "This key expired at \(time.text). Ask an owner of the business for a new one.")
        case .foreignAddress:
            self.init(
                .forbidden,
                "This key may not be used from \(address). Ask an owner for one that allows it.")
        }
    }
}
