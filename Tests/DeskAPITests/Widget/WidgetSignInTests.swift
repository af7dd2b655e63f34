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
