import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// A key may do what its scopes stand for, and nothing else.
struct KeyScopeTests {
    private static let table = PermissionTable.product

    /// The permissions that each scope adds to what every key may do.
    private static let expected: [(scope: KeyScopes, permissions: Set<Permission>)] = [
        (
            .read,
            [
                .readConversations, .followLive, .followEvents, .readAttachments,
                .readMembers,
                .readEntryLinks, .readTemplates, .readReports, .readOwnReports,
                .exportHistory,
            ]
        ),
        (.suggest, [.suggestReplies, .checkMessages]),
        (
            .send,
            [
                .sendMessages, .suggestReplies, .handleConversations, .checkMessages,
                .readAttachments, .useAttachments,
                .addToLibrary, .readMembers, .readTemplates, .playCustomers,
            ]
        ),
        (
            .templates,
            [
                .readTemplates, .publishTemplates, .checkMessages, .readAttachments,
                .useAttachments, .addToLibrary,
            ]
        ),
        (.customers, [.writeContacts, .readEntryLinks, .manageEntryLinks]),
        (.webhooks, [.manageWebhooks]),
        (
            .administration,
            [
                .manageEntryLinks, .manageLabels, .manageTeams, .manageHours, .manageAttributes,
                .changeManyConversations, .mergeContacts, .blockContacts, .eraseMessages,
                .manageLibrary, .importHistory, .readAudit, .readHolds, .manageHolds,
            ]
        ),
        (.people, [.provisionPeople]),
        (.wireLog, [.readGateway]),
    ]

    @Test func `whatever keys may do belongs to a scope`() {
        for permission in Self.table.permissions(of: .key) {
            #expect(!Self.table.scopes(with: permission).isEmpty, "\(permission.name)")
        }
        #expect(KeyScopes.named.map(\.scope) == Self.expected.map(\.scope))
    }

    @Test(arguments: expected.map(\.scope))
    func `a key with one scope gets exactly the routes of that scope`(scope: KeyScopes) async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business], scopes: scope)
        let conversation = try await server.makeConversation()
        let own = try #require(Self.expected.first { $0.scope == scope }).permissions
        var (admitted, refused) = (0, 0)
        for row in server.api.table.rows where row.permission != .open {
            guard Self.table.roles(with: row.permission).contains(.key),
                let status = try await server.probe(row, conversation.id, by: key)
            else { continue }
            let isAdmitted =
                own.contains(row.permission) || [.readBusinesses, .useMCP].contains(row.permission)
            #expect(status == (isAdmitted ? 400 : 403), "\(row.operation)")
            if isAdmitted { admitted += 1 } else { refused += 1 }
        }
        #expect(admitted >= 1)
        #expect(refused >= 10)
    }

    @Test func `a refusal names the scopes that would do and those that the key has`() async throws
    {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business], scopes: [.send, .wireLog])
        let refused = try await server.get("/api/conversations", by: key)
        #expect(refused.status == 403)
        #expect(refused["code"]?.string == "missing_scope")
        #expect(
            refused["detail"]?.string
                == "This needs a key with the scope read; \"shop\" has send, wire_log. An owner makes one."
        )
    }

    @Test func `a key that names no scope may do all but administration and people`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business], scopes: [])
        #expect(try await server.get("/api/conversations", by: key).status == 200)
        let refused = try await server.post(
            "/api/businesses/\(server.business.id)/labels", #"{"name":"new","colour":"red"}"#,
            by: key)
        #expect(refused["code"]?.string == "missing_scope")
    }

    @Test func `scopes that this program does not know allow nothing`() async throws {
        #expect(KeyScopes(names: ["read", "fly"]) == .read)
        #expect(KeyScopes(names: ["fly"]) == [])
        let key = APIKey(
            id: KeyID(UniqueID(high: 0x4000, low: 1)), name: "k", secret: .sha256([1]), mode: .test,
            businesses: [],
            limits: KeyLimits(scopes: ["fly"]), createdAt: Timestamp(milliseconds: 0))
        #expect(key.scopes == [])
    }
}
