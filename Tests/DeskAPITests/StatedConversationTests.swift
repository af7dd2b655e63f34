import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Words of a customer that say which conversation they are for.
struct StatedConversationTests {
    /// A server with two phones that have written once.
    private struct Setting {
        let server: TestServer
        let path: String
        let phone: TestServer.Caller
        let own: String
        let other: String

        init() async throws {
            server = try await TestServer()
            path = "/api/phone/\(server.business.id)/messages"
            let first = try await server.post(path, Self.words(server))
            phone = .customer(try #require(first.cookie("fdc")))
            own = try #require(first["message"]?["conversation"]?.string)
            let second = try await server.post(path, Self.words(server))
            other = try #require(second["message"]?["conversation"]?.string)
        }

        static func words(_ server: TestServer, _ more: String = "") -> String {
            #"{"id":"\#(server.services.broker.makeID())","text":"Hi"\#(more)}"#
        }

        func say(
            for conversation: String, by caller: TestServer.Caller = .anonymous, _ more: String = ""
        ) async throws -> Answer {
            try await server.post(
                path, Self.words(server, #","conversation":"\#(conversation)"\#(more)"#), by: caller
            )
        }

        /// How many messages the conversations have.
        func counts() async throws -> [Int64] {
            var counts: [Int64] = []
            for text in [own, other] {
                let id = try #require(ConversationID(text))
                counts.append(
                    try await server.store.findConversation(id)?.newest.value ?? 0)
            }
            return counts
        }
    }

    @Test func `they go into the session's conversation, and into no other`() async throws {
        let setting = try await Setting()
        let said = try await setting.say(for: setting.own, by: setting.phone)
        #expect(said.status == 201)
        #expect(said["message"]?["conversation"]?.string == setting.own)
        for wrong in [setting.other, setting.server.services.broker.makeID().text] {
            let refused = try await setting.say(for: wrong, by: setting.phone)
            #expect(refused.status == 404)
        }
        #expect(try await setting.say(for: "x", by: setting.phone).status == 422)
        let null = Setting.words(setting.server, #","conversation":null"#)
        #expect(try await setting.server.post(setting.path, null, by: setting.phone).status == 201)
        #expect(try await setting.counts() == [3, 1])
    }

    @Test func `without a session they begin no conversation`() async throws {
        let setting = try await Setting()
        let secret = #","secret":"\#(Token.make().text)""#
        for more in ["", secret] {
            let refused = try await setting.say(for: setting.own, more)
            #expect(refused.status == 401 && refused.cookie("fdc") == nil)
        }
        setting.server.time.advance(by: .seconds(31 * 86_400))
        #expect(try await setting.say(for: setting.own, by: setting.phone).status == 401)
        #expect(try await setting.counts() == [1, 1])
    }
}
