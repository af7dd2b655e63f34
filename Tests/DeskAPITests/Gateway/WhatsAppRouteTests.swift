import APITestSupport
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct WhatsAppRouteTests {
    private static let whole =
        #"{"phoneNumberId":"106","accessToken":"secret-a","appSecret":"secret-b"}"#

    @Test func `a number is connected with its secrets, which are never answered again`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway"
        let made = try await server.send(.put, path + "/whatsapp", Self.whole, by: owner)
        #expect(made.status == 201)
        let link = try #require(made["whatsapp"])
        #expect(link["phoneNumberId"]?.string == "106" && link["accountId"]?.isNull == true)
        #expect(link["graphUrl"]?.string == WhatsAppSettings.graph)
        #expect(link["hasSecrets"]?.bool == true)
        let token = try #require(made["verifyToken"]?.string)
        #expect(token.count == 48)
        let id = try #require(link["id"]?.string)
        #expect(link["callbackUrl"]?.string?.hasSuffix("/whatsapp/\(id)") == true)

        let changed = try await server.send(
            .put, path + "/whatsapp",
            #"{"accountId":"55","graphUrl":"https://graph.facebook.com/v1","appSecret":"secret-c"}"#,
            by: owner)
        #expect(changed.status == 200)
        #expect(changed["whatsapp"]?["accountId"]?.string == "55")
        #expect(changed["whatsapp"]?["id"]?.string == id)
        #expect(changed["verifyToken"] == nil)
        let seen = try await server.send(.get, path, "", by: owner)
        for answer in [made, changed, seen] {
            let text = answer.text
            #expect(!text.contains("secret-"))
        }
        #expect(!seen.text.contains(token))
        let stored = try await server.store.gatewayLinks().first { $0.side == .whatsapp }
        let secrets = try #require(stored.flatMap { WhatsAppSecrets($0.secret) })
        #expect(secrets.accessToken == "secret-a" && secrets.appSecret == "secret-c")
        #expect(secrets.verifyToken == token)

        let own = try await server.send(
            .put, path + "/whatsapp", #"{"verifyToken":"mine"}"#, by: owner)
        #expect(own["verifyToken"]?.string == "mine")
        #expect(try await server.send(.delete, path + "/whatsapp", "", by: owner).status == 204)
        #expect(try await server.send(.delete, path + "/whatsapp", "", by: owner).status == 404)
    }

    @Test
    func `the account and the graph URL are cleared by null and kept where they are left out`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway/whatsapp"
        _ = try await server.send(.put, path, Self.whole, by: owner)
        for (body, account, graph) in [
            (
                #"{"accountId":"55","graphUrl":"http://127.0.0.1:9/v1","accessToken":"secret-a"}"#,
                "55", "http://127.0.0.1:9/v1"
            ),
            (#"{"phoneNumberId":"107"}"#, "55", "http://127.0.0.1:9/v1"),
            (
                #"{"accountId":null,"graphUrl":null,"accessToken":"secret-d"}"#, nil,
                WhatsAppSettings.graph
            ),
        ] as [(String, String?, String)] {
            let answer = try await server.send(.put, path, body, by: owner)
            #expect(answer.status == 200)
            #expect(answer["whatsapp"]?["accountId"]?.string == account)
            #expect(answer["whatsapp"]?["graphUrl"]?.string == graph)
        }
    }

    /// An address for Graph, what else is sent, and the status.
    struct Move: Sendable {
        let url: String
        var more = ""
        let status: Int
    }

    @Test(arguments: [
        Move(url: "http://127.0.0.1:9/v2", status: 200),
        Move(url: "http://127.0.0.1:10/v1", status: 422),
        Move(url: "https://127.0.0.1:9/v1", status: 422),
        Move(url: "http://localhost:9/v1", status: 422),
        Move(
            url: "http://localhost:9/v1", more: #","appSecret":"n","verifyToken":"n""#, status: 422),
        Move(url: "http://localhost:9/v1", more: #","accessToken":null"#, status: 422),
        Move(url: "http://localhost:9/v1", more: #","accessToken":"new""#, status: 200),
        Move(url: WhatsAppSettings.graph, status: 200),
    ])
    func `a stored access token is not sent to another origin than Meta's`(
        _ move: Move
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway/whatsapp"
        let whole = Self.whole.dropLast() + #","graphUrl":"http://127.0.0.1:9/v1"}"#
        #expect(try await server.send(.put, path, String(whole), by: owner).status == 201)
        let answer = try await server.send(
            .put, path, #"{"graphUrl":"\#(move.url)"\#(move.more)}"#, by: owner)
        #expect(answer.status == move.status)
        #expect(answer.text.contains("Send accessToken too.") == (move.status == 422))
        let stored = try await server.store.gatewayLinks().first { $0.side == .whatsapp }
        let isMoved = stored?.url == move.url
        #expect(isMoved == (move.status == 200))
    }

    @Test func `of two changes at once neither is lost`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway/whatsapp"
        _ = try await server.send(.put, path, Self.whole, by: owner)
        for round in 0..<10 {
            let bodies = [
                #"{"accessToken":"a-\#(round)"}"#, #"{"appSecret":"b-\#(round)"}"#,
                #"{"verifyToken":"c-\#(round)"}"#,
            ]
            try await withThrowingTaskGroup { group in
                for body in bodies {
                    group.addTask { try await server.send(.put, path, body, by: owner).status }
                }
                for try await status in group { #expect(status == 200) }
            }
            let stored = try await server.store.gatewayLinks().first { $0.side == .whatsapp }
            #expect(
                stored.flatMap { WhatsAppSecrets($0.secret) }
                    == WhatsAppSecrets(
                        accessToken: "a-\(round)", appSecret: "b-\(round)",
                        verifyToken: "c-\(round)"))
        }
    }

    @Test(arguments: [(1_024, 201), (1_025, 422)])
    func `a secret has 1,024 bytes`(_ count: Int, _ status: Int) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let secret = String(repeating: "s", count: count)
        let answer = try await server.send(
            .put, "/api/businesses/\(server.business.id)/gateway/whatsapp",
            #"{"phoneNumberId":"1","accessToken":"\#(secret)","appSecret":"b"}"#, by: owner)
        #expect(answer.status == status)
    }

    @Test(arguments: [
        #"{"accessToken":"a","appSecret":"b"}"#, #"{"phoneNumberId":"1","appSecret":"b"}"#,
        #"{"phoneNumberId":"+1 555","accessToken":"a","appSecret":"b"}"#,
        #"{"phoneNumberId":"1","accessToken":"a b","appSecret":"b"}"#,
        #"{"phoneNumberId":"1","accessToken":"a","appSecret":""}"#,
        #"{"phoneNumberId":"1","accessToken":"a","appSecret":"b","graphUrl":"ftp://x"}"#,
        #"{"phoneNumberId":"1","accessToken":"a","appSecret":"b","more":1}"#,
    ])
    func `what is missing or wrong is a finding that shows no secret`(_ body: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.business.id)/gateway/whatsapp"
        let answer = try await server.send(.put, path, body, by: owner)
        #expect(answer.status == 422)
        #expect(!answer.text.contains("a b"))
    }
}
