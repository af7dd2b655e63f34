import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// How a customer's phone is given a new token each day, and never loses the conversation by it.
struct CustomerSessionTests {
    /// A server with a phone that has written once.
    private struct Setting {
        let server: TestServer
        let path: String
        let token: String

        init() async throws {
            server = try await TestServer()
            path = "/api/phone/\(server.business.id)"
            let first = try await server.post(
                path + "/messages", #"{"id":"\#(server.services.broker.makeID())","text":"Hi"}"#)
            token = try #require(first.cookie("fdc"))
        }

        func ask(_ token: String) async throws -> Answer {
            try await server.get(path + "/messages", by: .customer(token))
        }
    }

    @Test func `a token is renewed when it is 24 hours old and not before`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_399))
        let before = try await setting.ask(setting.token)
        #expect(before.status == 200 && before.cookie("fdc") == nil)
        setting.server.time.advance(by: .seconds(1))
        let after = try await setting.ask(setting.token)
        let next = try #require(after.cookie("fdc"))
        #expect(after.status == 200 && next != setting.token)
        let line = try #require(after.headers["set-cookie"])
        #expect(line.contains("HttpOnly") && line.contains("Path=\(setting.path)"))
        // The new token is the same customer, and is not renewed at once.
        let used = try await setting.ask(next)
        #expect(used.status == 200 && used.cookie("fdc") == nil)
        #expect(used["data"]?.count == 1)
    }

    @Test func `the old token ends 20 minutes after the new one was first used`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_400))
        let next = try #require(try await setting.ask(setting.token).cookie("fdc"))
        #expect(try await setting.ask(next).status == 200)
        setting.server.time.advance(by: .seconds(20 * 60 - 1))
        // A tab that still shows the old one is handed the same new one.
        #expect(try await setting.ask(setting.token).cookie("fdc") == next)
        setting.server.time.advance(by: .seconds(1))
        #expect(try await setting.ask(setting.token).status == 401)
        #expect(try await setting.ask(next).status == 200)
    }

    @Test func `a lost answer loses nothing, however late the phone comes back`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_400))
        let lost = try #require(try await setting.ask(setting.token).cookie("fdc"))
        setting.server.time.advance(by: .seconds(20 * 86_400))
        let again = try await setting.ask(setting.token)
        #expect(again.status == 200 && again.cookie("fdc") == lost)
    }

    @Test func `tabs that ask at once are handed the same token`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_400))
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await setting.ask(setting.token).cookie("fdc") }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && tokens.first != .some(nil))
    }

    @Test func `thirty idle days end a session, renewed or not`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_400))
        let next = try #require(try await setting.ask(setting.token).cookie("fdc"))
        #expect(try await setting.ask(next).status == 200)
        setting.server.time.advance(by: .seconds(30 * 86_400 - 1))
        let last = try await setting.ask(next)
        #expect(last.status == 200)
        let renewed = try #require(last.cookie("fdc"))
        setting.server.time.advance(by: .seconds(1))
        #expect(try await setting.ask(next).status == 401)
        #expect(try await setting.ask(renewed).status == 200)
        setting.server.time.advance(by: .seconds(30 * 86_400))
        #expect(try await setting.ask(renewed).status == 401)
    }

    @Test func `a phone in daily use keeps its conversation for months`() async throws {
        let setting = try await Setting()
        var token = setting.token
        var seen: Set<String> = [token]
        for _ in 0..<90 {
            setting.server.time.advance(by: .seconds(86_400))
            let answer = try await setting.ask(token)
            #expect(answer.status == 200)
            token = answer.cookie("fdc") ?? token
            seen.insert(token)
            #expect(try await setting.ask(token).status == 200)
        }
        #expect(seen.count == 91)
        let me = try await setting.server.get(setting.path, by: .customer(token))
        #expect(me["conversation"]?.isNull == false)
    }

    @Test func `opening a stream hands no token over and ends none`() async throws {
        let setting = try await Setting()
        setting.server.time.advance(by: .seconds(86_400))
        let answer = try await setting.server.get(
            setting.path + "/live", by: .customer(setting.token),
            headers: [
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ])
        #expect(answer.status == 200 || answer.status == 101)
        #expect(answer.cookie("fdc") == nil)
    }
}
