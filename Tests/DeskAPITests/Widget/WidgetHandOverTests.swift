import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Where messages are whose answers did not come before their customer signed in: each once, and none is lost.
struct WidgetHandOverTests {
    private let setting: WidgetSetting
    private let secret = Token.make().text

    init() async throws { setting = try await WidgetSetting() }

    private func message(_ text: String, _ more: String = "") -> String {
        #"{"id":"\#(setting.server.services.broker.makeID())","text":"\#(text)"\#(more)}"#
    }

    private func with(_ more: String, _ message: String) -> String {
        String(message.dropLast()) + "," + more + "}"
    }

    private func texts(_ conversation: String) async throws -> [String] {
        let path = "/api/conversations/\(conversation)/messages"
        let page = try await setting.server.send(.get, path, by: setting.owner)
        return page["data"]?.elements.compactMap { $0["payload"]?["body"]?.string } ?? []
    }

    /// Has the customer begin on another device, or not; the conversation then.
    private func begin(on another: Bool) async throws -> String? {
        guard another else { return nil }
        var device = WidgetBrowser(setting.server)
        _ = try await device.identify(setting.claims("1"), secret: setting.secret)
        return try widgetConversation(of: try await device.write("From another device"))
    }

    @Test(arguments: [false, true])
    func
        `first words whose answer was lost before their customer signed in are stored once and linked`(
            hasConversation: Bool
        ) async throws
    {
        let elsewhere = try await begin(on: hasConversation)
        var browser = WidgetBrowser(setting.server)
        let first = message("First", #","secret":"\#(secret)""#)
        let former = try widgetConversation(of: try await browser.post(first, losing: true))
        #expect(browser.cookies.isEmpty)
        _ = try await browser.identify(
            setting.claims("1", #","name":"Ada""#), secret: setting.secret)
        for _ in 1...2 {
            let known = try await browser.post(first)
            #expect(known.status == 201 && known.headers["idempotency-replayed"] == "true")
            #expect(try widgetConversation(of: known) == former)
        }
        // Before anything more is written agents see who it is, and can answer where the customer reads.
        let page = try await browser.send(.get, "/phone", origin: nil)
        let own = try #require(page["conversation"]?["id"]?.string)
        #expect(own != former && (elsewhere == nil || elsewhere == own))
        #expect(try await setting.contact(of: former).id == setting.contact(of: own).id)
        #expect(try await setting.contact(of: former).name == "Ada")
        #expect(try widgetConversation(of: try await browser.write("Next")) == own)
        #expect(try await texts(former) == ["First"])
        #expect(try await texts(own) == (hasConversation ? ["From another device"] : []) + ["Next"])
    }

    @Test(arguments: [false, true])
    func `first words that are still on their way when their customer signs in are stored once`(
        hasConversation: Bool
    ) async throws {
        _ = try await begin(on: hasConversation)
        var browser = WidgetBrowser(setting.server)
        // From before the customer signed in, and slower than what is sent after it.
        var late = browser
        let first = message("First", #","secret":"\#(secret)""#)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let own = try widgetConversation(of: try await browser.post(first))
        let again = try await late.post(first)
        #expect(again.headers["idempotency-replayed"] == "true")
        #expect(try widgetConversation(of: again) == own)
        #expect(try await texts(own).filter { $0 == "First" } == ["First"])
    }

    @Test(arguments: ["", "/phone", "/phone/messages"])
    func
        `a session without a name that came after signing in gives way to the customer's conversation`(
            _ path: String
        ) async throws
    {
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        var late = WidgetBrowser(setting.server)
        let former = try widgetConversation(of: try await late.write("Under way"))
        browser.cookies["fdw"] = late.cookies["fdw"]
        if path == "/phone/messages" {
            #expect(try widgetConversation(of: try await browser.write("Me")) != former)
        } else {
            let origin = path.isEmpty ? WidgetBrowser.shop : nil
            #expect(try await browser.send(.get, path, origin: origin).status == 200)
        }
        #expect(browser.cookies["fdw"] != late.cookies["fdw"])
        let own = try widgetConversation(of: try await browser.write("Next"))
        #expect(own != former)
        #expect(try await setting.contact(of: former).id == setting.contact(of: own).id)
        #expect(try await texts(former) == ["Under way"])
        // What it sent before is found there, and not stored again.
        let lost = message("Lost")
        _ = try await late.post(lost)
        let known = try await browser.post(with(#""former":"\#(former)""#, lost))
        #expect(try widgetConversation(of: known) == former)
    }

    @Test func `two tabs that sign in at once have one conversation and lose nothing`() async throws
    {
        var browser = WidgetBrowser(setting.server)
        let former = try widgetConversation(of: try await browser.write("Without a name"))
        let lost = message("Lost")
        _ = try await browser.post(lost)
        // The second one waits for the first, and still has the session of before.
        var other = browser
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        other.cookies["fdi"] = browser.cookies["fdi"]
        _ = try await other.identify(setting.claims("1"), secret: setting.secret)
        let again = with(#""former":"\#(former)""#, lost)
        #expect(try widgetConversation(of: try await other.post(again)) == former)
        #expect(try widgetConversation(of: try await browser.post(again)) == former)
        let one = try widgetConversation(of: try await browser.write("One"))
        let two = try widgetConversation(of: try await other.write("Two"))
        #expect(one == two && one != former)
        #expect(try await texts(former) == ["Without a name", "Lost"])
        #expect(try await texts(one).sorted() == ["One", "Two"])
    }

    @Test func `another customer's secret opens nothing`() async throws {
        var another = WidgetBrowser(setting.server)
        let foreign = Token.make().text
        let hidden = message("Not yours", #","secret":"\#(foreign)""#)
        _ = try await another.identify(setting.claims("2"), secret: setting.secret)
        let theirs = try widgetConversation(of: try await another.post(hidden))
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let mine = try await browser.post(message("Mine", #","secret":"\#(foreign)""#))
        let own = try widgetConversation(of: mine)
        #expect(own != theirs)
        #expect(try await setting.contact(of: own).id != setting.contact(of: theirs).id)
    }

    @Test func `what an owner has unlinked stays so when the customer signs in again`() async throws
    {
        var browser = WidgetBrowser(setting.server)
        let former = try widgetConversation(of: try await browser.write("First"))
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let own = try widgetConversation(of: try await browser.write("Me"))
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        #expect(try await setting.contact(of: former).id == setting.contact(of: own).id)
        let apart = try await setting.server.post(
            "/api/businesses/\(setting.server.other.id)/contacts/\(former)/unmerge", "",
            by: setting.owner)
        #expect(apart.status == 200)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        #expect(try await setting.contact(of: former).id != setting.contact(of: own).id)
    }
}
