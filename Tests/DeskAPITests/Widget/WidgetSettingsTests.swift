import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

/// How a business sets its widget.
struct WidgetSettingsTests {
    @Test(arguments: [
        ("https://shop.example", "https://shop.example"),
        ("HTTPS://Shop.Example", "https://shop.example"),
        ("https://shop.example/", "https://shop.example"),
        ("https://shop.example:443", "https://shop.example"),
        ("https://shop.example:8443", "https://shop.example:8443"),
        ("https://a.b-c.example:10443", "https://a.b-c.example:10443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("https://[::443]", "https://[::443]"),
    ])
    func `an origin is kept as browsers write it`(_ text: String, _ kept: String) {
        #expect(WidgetOrigin.read(text) == kept)
    }

    @Test(arguments: [
        "", "*", "https://*", "https://*.shop.example", "shop.example", "http://shop.example",
        "https://shop.example/path", "https://shop.example?x", "https://shop.example#x",
        "https://shop.example; script-src *", "https://shop.example 'self'", "null", "data:",
        "https://", "https://user@shop.example", "https://.shop.example", "https://a_b.example",
        "https://shop.example:x", "https://shop.example,https://b.example", "'self'",
        "ftp://shop.example", "https://日本.example",
    ])
    func `what is no origin is refused`(_ text: String) {
        #expect(WidgetOrigin.read(text) == nil)
    }

    @Test func `a widget is off until it is set, and is answered as it was set`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/widget"
        let before = try await server.get(path, by: owner)
        #expect(before.status == 200)
        #expect(before["isOn"]?.bool == false)
        #expect(before["origins"]?.count == 0)
        #expect(
            before["snippet"]?.string
                == "<script src=\"\(TestServer.origin)/widget.js\" "
                + "data-business=\"\(server.other.id)\" async></script>")
        let set = try await server.send(
            .put, path,
            """
            {"isOn":true,"origins":["https://Shop.example:443/","https://shop.example"],\
            "launcher":{"position":"left","colour":"#1f6f54","labels":{"ja":"相談"}},\
            "greetings":[{"path":"/cart*","seconds":20,"texts":{"en":"Questions?"}}]}
            """, by: owner)
        #expect(set.status == 200)
        let after = try await server.get(path, by: owner)
        #expect(after.text == set.text)
        #expect(after["origins"]?.count == 1)
        #expect(after["origins"]?[0]?.string == "https://shop.example")
        #expect(after["launcher"]?["position"]?.string == "left")
        #expect(after["launcher"]?["labels"]?["ja"]?.string == "相談")
        #expect(after["greetings"]?[0]?["texts"]?["en"]?.string == "Questions?")
    }

    @Test(arguments: [
        (#"{"isOn":true,"origins":["shop"],"greetings":[]}"#, "/origins/0"),
        (#"{"origins":[],"greetings":[]}"#, ""),
        (#"{"isOn":true,"greetings":[]}"#, ""),
        (
            #"{"isOn":true,"origins":[],"greetings":[],"launcher":{"colour":"red"}}"#,
            "/launcher/colour"
        ),
        (
            #"{"isOn":true,"origins":[],"greetings":[],"launcher":{"position":"top"}}"#,
            "/launcher/position"
        ),
        (
            #"{"isOn":true,"origins":[],"greetings":[{"path":"cart","seconds":1,"texts":{"en":"x"}}]}"#,
            "/greetings/0/path"
        ),
        (
            #"{"isOn":true,"origins":[],"greetings":[{"path":"/","seconds":3601,"texts":{"en":"x"}}]}"#,
            "/greetings/0/seconds"
        ),
        (
            #"{"isOn":true,"origins":[],"greetings":[{"path":"/","seconds":1,"texts":{}}]}"#,
            "/greetings/0/texts"
        ),
        (
            #"{"isOn":true,"origins":[],"greetings":[{"path":"/","seconds":1,"texts":{"en":" "}}]}"#,
            "/greetings/0/texts/en"
        ),
        (#"{"isOn":true,"origins":[],"greetings":[],"secrets":[]}"#, "/secrets"),
    ])
    func `a fault is named by its place`(_ body: String, _ pointer: String) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.send(
            .put, "/api/businesses/\(server.other.id)/widget", body, by: owner)
        #expect(answer.status == 422)
        let places = answer["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? []
        #expect(places.contains(pointer), "\(answer.text)")
    }

    @Test func `as many origins and greetings as the limits say, and not one more`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        func set(_ origins: Int, _ greetings: Int, bytes: Int = 600) async throws -> Int {
            let list = (0..<origins).map { "\"https://s\($0).example\"" }
            let text = String(repeating: "a", count: bytes)
            let texts = (0..<greetings).map { _ in
                #"{"path":"/","seconds":3600,"texts":{"en":"\#(text)"}}"#
            }
            return try await server.send(
                .put, "/api/businesses/\(server.other.id)/widget",
                """
                {"isOn":true,"origins":[\(list.joined(separator: ","))],\
                "greetings":[\(texts.joined(separator: ","))]}
                """, by: owner
            ).status
        }
        #expect(try await set(20, 10) == 200)
        #expect(try await set(21, 0) == 422)
        #expect(try await set(0, 11) == 422)
        #expect(try await set(0, 1, bytes: 601) == 422)
    }

    @Test func `two secrets are valid at once, and a third ends the oldest`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let path = "/api/businesses/\(server.other.id)/widget"
        var made: [String] = []
        for _ in 0..<3 {
            let answer = try await server.post(path + "/secrets", by: owner)
            #expect(answer.status == 201)
            let secret = try #require(answer["secret"]?.string)
            #expect(secret.hasPrefix("fdws_") && secret.utf8.count == 48)
            made.append(try #require(answer["id"]?.string))
        }
        func listed() async throws -> [String] {
            let answer = try await server.get(path, by: owner)
            #expect(!answer.text.contains("fdws_"))
            return answer["secrets"]?.elements.compactMap { $0["id"]?.string } ?? []
        }
        #expect(try await listed() == [made[2], made[1]])
        #expect(
            try await server.send(.delete, path + "/secrets/\(made[0])", by: owner).status == 404)
        #expect(
            try await server.send(.delete, path + "/secrets/\(made[2])", by: owner).status == 204)
        #expect(try await listed() == [made[1]])
        // What was set stays with the secrets, and these with what was set.
        let set = try await server.send(
            .put, path, #"{"isOn":true,"origins":[],"greetings":[]}"#, by: owner)
        #expect(set["secrets"]?.count == 1)
    }

    @Test func `a secret is not made twice under one idempotency key`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(
            "/api/businesses/\(server.other.id)/widget/secrets", by: owner,
            headers: ["Idempotency-Key": "\"a\""])
        #expect(answer.status == 400)
    }
}
