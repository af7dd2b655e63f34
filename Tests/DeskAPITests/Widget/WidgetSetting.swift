import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// A browser in a shop: the cookies that the widget's answers set, as that browser keeps them.
struct WidgetBrowser {
    static let shop = "https://shop.example"
    let server: TestServer
    var cookies: [String: String] = [:]
    /// What was set last, whole.
    var lines: [String] = []

    init(_ server: TestServer) { self.server = server }

    mutating func send(
        _ method: DeskHTTP.Method, _ path: String, _ body: String = "",
        origin: String? = WidgetBrowser.shop, location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers: HeaderFields = [:]
        if let origin { headers.append("Origin", origin) }
        let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        if !pairs.isEmpty { headers.append("Cookie", pairs.joined(separator: "; ")) }
        let answer = try await server.send(
            method, "/api/widget/\(server.other.id)" + path, body, headers: headers,
            location: location)
        lines = answer.headers.values("set-cookie")
        for line in lines {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = pair.count == 2 ? String(pair[1]) : nil
        }
        return answer
    }

    /// Writes from the frame, whose origin is the server's.
    mutating func write(
        _ text: String, page: String = "", location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send(
            .post, "/phone/messages",
            #"{"id":"\#(server.services.broker.makeID())","text":"\#(text)"\#(page)}"#,
            origin: TestServer.origin, location: location)
    }

    /// Sends a message as it is from the frame, and with `losing` as if its answer came to none: no cookie is kept.
    mutating func post(
        _ message: String, losing: Bool = false, location: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let before = cookies
        let answer = try await send(
            .post, "/phone/messages", message, origin: TestServer.origin, location: location)
        if losing { cookies = before }
        return answer
    }

    mutating func identify(_ claims: String, secret: String) async throws -> Answer {
        let token = WidgetIdentityTests.token(claims, secret: secret)
        return try await send(.post, "/identity", #"{"token":"\#(token)"}"#)
    }
}

/// A server whose shop has a widget with a secret.
struct WidgetSetting {
    let server: TestServer
    let owner: TestServer.Caller
    let secret: String
    var path: String { "/api/businesses/\(server.other.id)/widget" }
    var now: Int { Int(server.time.now.milliseconds / 1_000) }

    init(isOn: Bool = true) async throws {
        server = try await TestServer(
            web: FileSet([
                "phone/index.html": Array("<p>".utf8),
                "widget/widget.js": Array(#"a("STYLES");"#.utf8),
                "widget/widget.css": Array("b {\n  color: red;\n}\n".utf8),
            ]))
        owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/widget"
        let set = try await server.send(
            .put, path,
            """
            {"isOn":\(isOn),"origins":["\(WidgetBrowser.shop)","https://b.example:8443"],\
            "greetings":[{"path":"/cart","seconds":5,"texts":{"en":"Hello","ja":"こんにちは"}}]}
            """, by: owner)
        #expect(set.status == 200)
        secret = try #require(try await server.post(path + "/secrets", by: owner)["secret"]?.string)
    }

    func claims(_ subject: String, _ rest: String = "") -> String {
        #"{"sub":"\#(subject)","iat":\#(now)\#(rest)}"#
    }

    func contact(of conversation: String) async throws -> Contact {
        let id = try #require(ConversationID(conversation))
        var found = try #require(try await server.store.findContact(ContactID(id.value)))
        while let merge = found.merge {
            found = try #require(try await server.store.findContact(merge.into))
        }
        return found
    }

    func answer(_ text: String, in conversation: String) async throws {
        let sent = try await server.post(
            "/api/conversations/\(conversation)/messages", #"{"type":"text","body":"\#(text)"}"#,
            by: owner)
        #expect(sent.status == 201)
    }
}

func widgetConversation(of answer: Answer) throws -> String {
    try #require(answer["message"]?["conversation"]?.string)
}
