import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// What a customer has after signing in, in whichever order browsers, tabs and devices did it.
struct WidgetSignInTests {
    @Test(arguments: ["", "/phone"])
    func `a device that was identified before the first message finds the conversation later`(
        _ path: String
    ) async throws {
        let setting = try await WidgetSetting()
        var first = WidgetBrowser(setting.server)
        var second = WidgetBrowser(setting.server)
        _ = try await first.identify(setting.claims("1"), secret: setting.secret)
        _ = try await second.identify(setting.claims("1"), secret: setting.secret)
        #expect(second.cookies["fdw"] == nil)
        let id = try widgetConversation(of: try await first.write("From the first"))
        try await setting.answer("Hello", in: id)
        let origin = path.isEmpty ? WidgetBrowser.shop : nil
        let found = try await second.send(.get, path, origin: origin)
        #expect(found.status == 200)
        let session = try #require(second.cookies["fdw"])
        // Asked again without the cookie there is no further session, and one that ended stays so.
        second.cookies["fdw"] = nil
        _ = try await second.send(.get, path, origin: origin)
        #expect(second.cookies["fdw"] == session)
        var ended = second
        ended.cookies["fdw"] = Token.make().text
        let refused = try await ended.send(.get, path, origin: origin)
        #expect(refused["conversation"]?["id"] == nil && refused["hasConversation"]?.bool != true)
        if path.isEmpty {
            #expect(found["hasConversation"]?.bool == true)
            #expect(found["unread"]?.int == 1)
        } else {
            #expect(found["conversation"]?["id"]?.string == id)
        }
        let thread = try await second.send(.get, "/phone/messages", origin: nil)
        #expect(thread["data"]?.count == 2)
    }

    @Test func `what was written without a name after an identity was shown is linked too`()
        async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let own = try widgetConversation(of: try await browser.write("I am Ada"))
        // A first message that was under way while the customer signed in begins a conversation of its own.
        var late = WidgetBrowser(setting.server)
        let meanwhile = try widgetConversation(of: try await late.write("Under way"))
        #expect(meanwhile != own)
        browser.cookies["fdw"] = late.cookies["fdw"]
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        #expect(try widgetConversation(of: try await browser.write("Me again")) == own)
        #expect(try await setting.contact(of: meanwhile).id == setting.contact(of: own).id)
    }

    @Test(arguments: [false, true])
    func `a message that was stored before its customer signed in is not stored a second time`(
        hasConversation: Bool
    ) async throws {
        let setting = try await WidgetSetting()
        if hasConversation {
            var device = WidgetBrowser(setting.server)
            _ = try await device.identify(setting.claims("1"), secret: setting.secret)
            _ = try await device.write("From another device")
        }
        var another = WidgetBrowser(setting.server)
        let foreign = try widgetConversation(of: try await another.write("Not yours"))
        var browser = WidgetBrowser(setting.server)
        let former = try widgetConversation(of: try await browser.write("First"))
        func message(_ text: String, _ more: String = "") -> String {
            #"{"id":"\#(setting.server.services.broker.makeID())","text":"\#(text)"\#(more)}"#
        }
        // Its answer is lost, and the frame is another customer's when it is sent again.
        let lost = message("Lost")
        let origin = TestServer.origin
        _ = try await browser.send(.post, "/phone/messages", lost, origin: origin)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let again = String(lost.dropLast()) + #","former":"\#(former)"}"#
        let known = try await browser.send(.post, "/phone/messages", again, origin: origin)
        #expect(known.status == 201 && known.headers["idempotency-replayed"] == "true")
        #expect(try widgetConversation(of: known) == former)
        let fresh = message("Never stored", #","former":"\#(former)""#)
        let stored = try await browser.send(.post, "/phone/messages", fresh, origin: origin)
        let own = try widgetConversation(of: stored)
        #expect(stored.status == 201 && own != former)
        // A conversation of another customer is not looked at.
        let other = message("Mine", #","former":"\#(foreign)""#)
        _ = try await another.send(.post, "/phone/messages", other, origin: origin)
        let mine = try await browser.send(.post, "/phone/messages", other, origin: origin)
        #expect(try widgetConversation(of: mine) == own)
        #expect(
            try await browser.send(
                .post, "/phone/messages", message("Hi", #","former":"x""#), origin: origin
            ).status == 422)
    }

    @Test func `signing in counts what this browser has not seen`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let id = try widgetConversation(of: try await browser.write("Hello"))
        try await setting.answer("One", in: id)
        try await setting.answer("Two", in: id)
        for (after, unread) in [("", 2), (#","after":2"#, 1), (#","after":3"#, 0)] {
            let token = WidgetIdentityTests.token(setting.claims("1"), secret: setting.secret)
            let answer = try await browser.send(
                .post, "/identity", #"{"token":"\#(token)"\#(after)}"#)
            #expect(answer["unread"]?.int == unread, "\(after)")
        }
        #expect(
            try await browser.send(.post, "/identity", #"{"token":"x","after":-1}"#).status == 422)
    }
}
