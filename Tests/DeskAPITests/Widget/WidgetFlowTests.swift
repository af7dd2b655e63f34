import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// The launcher, the frame and its session, as pages of the shop and of others see them.
struct WidgetFlowTests {
    @Test func `the launcher is for the listed origins alone`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let answer = try await browser.send(.get, "?locale=ja-JP")
        #expect(answer.status == 200)
        #expect(answer.headers["access-control-allow-origin"] == WidgetBrowser.shop)
        #expect(answer.headers["access-control-allow-credentials"] == "true")
        #expect(answer.headers.values("vary").contains("Origin"))
        #expect(answer["launcher"]?["label"]?.string == "チャットで相談")
        #expect(answer["launcher"]?["colour"]?.string == "#445566")
        #expect(answer["greetings"]?[0]?["text"]?.string == "こんにちは")
        #expect(answer["unread"]?.int == 0)
        for origin in [
            "https://evil.example", "http://shop.example", "https://shop.example.evil.example",
            "https://shop.example:8443", "https://b.example", "null", "HTTPS://SHOP.EXAMPLE",
            TestServer.origin,
        ] {
            for (method, path) in [
                (DeskHTTP.Method.get, ""), (.post, "/identity"), (.delete, "/identity"),
                (.options, "/identity"),
            ] {
                let refused = try await browser.send(
                    method, path, method == .post ? "{}" : "", origin: origin)
                #expect(refused.status == 403, "\(origin) \(method)")
                for name in ["origin", "credentials", "methods", "headers"] {
                    #expect(refused.headers["access-control-allow-\(name)"] == nil, "\(origin)")
                }
            }
        }
        #expect(try await browser.send(.post, "/identity", "{}", origin: nil).status == 403)
        let asked = try await browser.send(.options, "/identity")
        #expect(asked.status == 204)
        #expect(asked.headers["access-control-allow-methods"] == "POST, DELETE")
        #expect(asked.headers["access-control-allow-origin"] == WidgetBrowser.shop)
    }

    @Test func `nothing else answers pages of other origins`() async throws {
        let setting = try await WidgetSetting()
        let server = setting.server
        for path in [
            "/api/phone/\(server.other.id)", "/api/widget/\(server.other.id)/phone",
            "/api/businesses", "/w/\(server.other.id)", "/api/session", "/widget.js",
        ] {
            let answer = try await server.get(path, headers: ["Origin": WidgetBrowser.shop])
            #expect(answer.headers["access-control-allow-origin"] == nil, "\(path)")
        }
    }

    @Test func `a widget that is off is nowhere`() async throws {
        let setting = try await WidgetSetting(isOn: false)
        var browser = WidgetBrowser(setting.server)
        #expect(try await browser.send(.get, "").status == 404)
        #expect(
            try await browser.identify(setting.claims("1"), secret: setting.secret).status == 404)
        #expect(try await setting.server.get("/w/\(setting.server.other.id)").status == 404)
        #expect(try await setting.server.get("/w/\(setting.server.business.id)").status == 404)
    }

    @Test func `the frame is for the listed origins, and the script for all`() async throws {
        let setting = try await WidgetSetting()
        let page = try await setting.server.get("/w/\(setting.server.other.id)")
        #expect(page.status == 200)
        let policy = try #require(page.headers["content-security-policy"])
        #expect(
            policy.contains("frame-ancestors https://shop.example https://b.example:8443; "))
        #expect(policy.contains("default-src 'none'; script-src 'self'; "))
        #expect(page.headers["x-frame-options"] == nil)
        #expect(page.headers["cross-origin-resource-policy"] == "cross-origin")
        #expect(page.headers["cache-control"] == "no-store")
        let script = try await setting.server.get("/widget.js")
        #expect(script.headers["cross-origin-resource-policy"] == "cross-origin")
        // Its styles are in it.
        #expect(script.text == #"a("b {\n  color: red;\n}\n");"#)
        #expect(script.headers["x-content-type-options"] == "nosniff")
        let own = try await setting.server.get("/b/\(setting.server.other.id)")
        #expect(own.headers["x-frame-options"] == "SAMEORIGIN")
    }

    @Test func `a customer without a name writes in the frame, with a cookie of its own`()
        async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let said = try await browser.write("Hello")
        #expect(said.status == 201)
        #expect(browser.lines.count == 1)
        #expect(
            browser.lines[0].hasSuffix(
                "; Path=/api/widget/\(setting.server.other.id); SameSite=None; Max-Age=2592000; "
                    + "HttpOnly; Secure; Partitioned"))
        #expect(browser.lines[0].hasPrefix("fdw="))
        let id = try widgetConversation(of: said)
        let phone = try await browser.send(.get, "/phone", origin: nil)
        #expect(phone["conversation"]?["id"]?.string == id)
        // Neither cookie is the other's.
        let token = try #require(browser.cookies["fdw"])
        let own = "/api/phone/\(setting.server.other.id)"
        #expect(
            try await setting.server.get(own, headers: ["Cookie": "fdw=\(token)"])["conversation"]?
                .isNull == true)
        var other = WidgetBrowser(setting.server)
        other.cookies = ["fdc": token]
        #expect(try await other.send(.get, "/phone", origin: nil)["conversation"]?.isNull == true)
        #expect(try await browser.write("Again").status == 201)
        try await setting.answer("Yes?", in: id)
        try await setting.answer("Still there?", in: id)
        #expect(try await browser.send(.get, "")["unread"]?.int == 2)
        #expect(try await browser.send(.get, "?after=3")["unread"]?.int == 1)
        #expect(try await browser.send(.get, "?after=4")["unread"]?.int == 0)
        #expect(try await browser.send(.get, "?after=x").status == 422)
        #expect(try await browser.write("Yes").status == 201)
        #expect(try await browser.send(.get, "")["unread"]?.int == 0)
    }

    @Test(arguments: ["https://shop.example", "https://evil.example", "null", nil])
    func `the frame's session is used by the frame's own page alone`(_ origin: String?) async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        #expect(try await browser.write("Hello").status == 201)
        let id = setting.server.services.broker.makeID()
        for (method, path, body) in [
            (DeskHTTP.Method.post, "/phone/messages", #"{"id":"\#(id)","text":"Forged"}"#),
            (.post, "/phone/mute", #"{"muted":true}"#), (.delete, "/phone/conversation", ""),
        ] {
            let answer = try await browser.send(method, path, body, origin: origin)
            #expect(answer.status == 403, "\(path)")
            #expect(answer.headers["access-control-allow-origin"] == nil)
        }
    }
}
