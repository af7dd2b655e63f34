import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Synchronization
import Testing

@testable import DeskAPI

extension TestServer {
    /// The status of a route for a caller, with a parameter that no route knows.
    ///
    /// It is 400 when the request pipeline lets the caller in, before the handler runs; nil for routes
    /// that ignore parameters.
    func probe(
        _ row: RouteTable.Row, _ conversation: ConversationID, by caller: Caller = .anonymous
    ) async throws -> Int? {
        guard row.query != .ignored else { return nil }
        let headers: HeaderFields = caller.isAnonymous ? ["Origin": Self.origin] : [:]
        return try await send(
            row.method, path(of: row, conversation) + "?zz=1", by: caller, headers: headers
        ).status
    }

    /// The path of a route in the sandbox's business.
    func path(of row: RouteTable.Row, _ conversation: ConversationID) -> String {
        "/"
            + row.pattern.split(separator: "/").map { part in
                switch part {
                case "{business}": business.id.text
                case "{conversation}": conversation.text
                case "{attachment}": String(repeating: "a", count: 64)
                default:
                    part.hasPrefix("{") ? "8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111" : String(part)
                }
            }.joined(separator: "/")
    }

    /// A customer's phone with a session for the sandbox's business.
    func makePhone() async throws -> (caller: Caller, conversation: ConversationID) {
        let said = try await post(
            "/api/phone/\(business.id)/messages",
            #"{"id":"\#(services.broker.makeID())","text":"Hello","locale":"en_US"}"#)
        let id = try #require(said["message"]?["conversation"]?.string)
        return (
            .customer(try #require(said.cookie("fdc"))), try #require(ConversationID(id))
        )
    }
}

extension TestServer.Caller {
    var isAnonymous: Bool { if case .anonymous = self { true } else { false } }
}

/// Roles that are set once the businesses are known.
final class Roles: Sendable {
    private let roles = Mutex<[BusinessID: PrincipalRole]>([:])
    var value: [BusinessID: PrincipalRole] { roles.withLock { $0 } }
    func set(_ value: [BusinessID: PrincipalRole]) { roles.withLock { $0 = value } }
}

/// Authenticates every request as a person with these roles, whatever the store has.
struct PersonAuthenticator: Authenticator {
    let agent: Agent
    let roles: @Sendable () -> [BusinessID: PrincipalRole]

    func authenticate(_ request: Request) async throws(Problem) -> Authenticated? {
        Authenticated(
            .agent(
                AgentPrincipal(
                    agent: agent, roles: roles(), session: .sha256(Array("session".utf8)))))
    }
}
