import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

/// Customers for whom the shop vouches, and what pages say of them.
struct WidgetCustomerTests {
    @Test func `a customer finds the same conversation on every device`() async throws {
        let setting = try await WidgetSetting()
        var laptop = WidgetBrowser(setting.server)
        let first = try await laptop.identify(
            setting.claims("4711", #","name":"Ada""#), secret: setting.secret)
        #expect(first.status == 200)
        #expect(first["hasConversation"]?.bool == false)
        let user = try #require(first["user"]?.string)
        #expect(!user.contains("4711"))
        // Who only looks makes no row.
        #expect(
            try await setting.server.store.contacts(
                of: setting.server.other.id, at: .start, limit: 9
            ).elements.isEmpty)
        let said = try await laptop.write("Hello")
        #expect(said.status == 201)
        let id = try widgetConversation(of: said)
        var phone = WidgetBrowser(setting.server)
        let found = try await phone.identify(setting.claims("4711"), secret: setting.secret)
        #expect(found["hasConversation"]?.bool == true)
        #expect(found["user"]?.string == user)
        #expect(
            try await phone.send(.get, "/phone", origin: nil)["conversation"]?["id"]?.string == id)
        #expect(try widgetConversation(of: try await phone.write("From the phone")) == id)
        #expect(try widgetConversation(of: try await laptop.write("From the laptop")) == id)
        let contact = try await setting.contact(of: id)
        #expect(contact.externalID == "4711")
        #expect(contact.isExternalIDVerified)
        #expect(contact.name == "Ada")
        var other = WidgetBrowser(setting.server)
        _ = try await other.identify(setting.claims("4712"), secret: setting.secret)
        #expect(try widgetConversation(of: try await other.write("Hello")) != id)
    }

    @Test func `the answers say until when the customer is known in this browser`() async throws {
        let setting = try await WidgetSetting()
        func end() -> String {
            setting.server.time.now.advanced(by: .seconds(30 * 86_400)).text
        }
        var browser = WidgetBrowser(setting.server)
        #expect(try await browser.send(.get, "")["expiresAt"]?.isNull == true)
        let identified = try await browser.identify(setting.claims("1"), secret: setting.secret)
        #expect(identified["expiresAt"]?.string == end())
        let first = end()
        setting.server.time.advance(by: .seconds(7_200))
        #expect(try await browser.send(.get, "")["expiresAt"]?.string == first)
        // From the first message on there is a session, and each use of it counts anew.
        #expect(try await browser.write("Hello").status == 201)
        for _ in 0..<2 {
            #expect(try await browser.send(.get, "")["expiresAt"]?.string == end())
            setting.server.time.advance(by: .seconds(7_200))
        }
        let again = try await browser.identify(setting.claims("1"), secret: setting.secret)
        #expect(again["expiresAt"]?.string == end())
        var second = WidgetBrowser(setting.server)
        let known = try await second.identify(setting.claims("1"), secret: setting.secret)
        #expect(known["expiresAt"]?.string == end())
    }

    @Test func `the first messages of two devices at once are one conversation`() async throws {
        let setting = try await WidgetSetting()
        var devices = [
            WidgetBrowser(setting.server), WidgetBrowser(setting.server),
            WidgetBrowser(setting.server),
        ]
        for place in devices.indices {
            _ = try await devices[place].identify(setting.claims("1"), secret: setting.secret)
        }
        let all = try await withThrowingTaskGroup(of: String.self) { group in
            for device in devices {
                group.addTask {
                    var device = device
                    return try widgetConversation(of: try await device.write("Hello"))
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(all.count == 1)
    }

    @Test func `a first message whose answer was lost is stored once`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let secret = Token.make().text
        let body =
            #"{"id":"\#(setting.server.services.broker.makeID())","text":"Hi","secret":"\#(secret)"}"#
        var lost = browser
        let one = try await lost.send(.post, "/phone/messages", body, origin: TestServer.origin)
        let two = try await browser.send(.post, "/phone/messages", body, origin: TestServer.origin)
        #expect(one.status == 201 && two.status == 201)
        #expect(two.headers["idempotency-replayed"] == "true")
        #expect(try widgetConversation(of: one) == widgetConversation(of: two))
        #expect(browser.cookies["fdw"] == secret)
    }

    @Test
    func
        `what was written without a name stays, its contact is linked, and what comes next is the customer's`()
        async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let before = try widgetConversation(of: try await browser.write("Who are you?"))
        let signed = try await browser.identify(
            setting.claims("1", #","name":"Ada""#), secret: setting.secret)
        #expect(signed["hasConversation"]?.bool == false)
        #expect(browser.cookies["fdw"] == nil)
        let after = try widgetConversation(of: try await browser.write("I am Ada"))
        #expect(after != before)
        let contact = try await setting.contact(of: before)
        #expect(contact.id.value == ConversationID(after)?.value)
        #expect(contact.externalID == "1")
        let name = try #require(ConversationID(before))
        let old = try #require(try await setting.server.store.findConversation(name))
        #expect(old.newest.value == 1)
        #expect(old.contactName == "Ada")
        // The same where the conversation is there already.
        var second = WidgetBrowser(setting.server)
        let more = try widgetConversation(of: try await second.write("Hello again"))
        #expect(
            try await second.identify(setting.claims("1"), secret: setting.secret)[
                "hasConversation"]?.bool == true)
        #expect(try widgetConversation(of: try await second.write("Me")) == after)
        #expect(try await setting.contact(of: more).id == contact.id)
    }

    @Test func `another customer in the same browser gets nothing of the first, and is not linked`()
        async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("a"), secret: setting.secret)
        let first = try widgetConversation(of: try await browser.write("I am A"))
        let token = try #require(browser.cookies["fdw"])
        let signed = try await browser.identify(setting.claims("b"), secret: setting.secret)
        #expect(signed["hasConversation"]?.bool == false)
        #expect(try await browser.send(.get, "/phone", origin: nil)["conversation"]?.isNull == true)
        let second = try widgetConversation(of: try await browser.write("I am B"))
        #expect(second != first)
        #expect(try await setting.contact(of: first).id != setting.contact(of: second).id)
        // The session that was left behind has ended.
        var old = WidgetBrowser(setting.server)
        old.cookies = ["fdw": token]
        #expect(try await old.send(.get, "/phone", origin: nil)["conversation"]?.isNull == true)
        // Without the mark of who was here, the first customer's conversation is still not the second's.
        browser.cookies["fdi"] = nil
        _ = try await browser.identify(setting.claims("c"), secret: setting.secret)
        let third = try widgetConversation(of: try await browser.write("I am C"))
        #expect(try await setting.contact(of: second).id != setting.contact(of: third).id)
    }

    @Test func `a device that is used every day ends no other one`() async throws {
        let setting = try await WidgetSetting()
        var devices = [WidgetBrowser(setting.server), WidgetBrowser(setting.server)]
        for place in devices.indices {
            _ = try await devices[place].identify(setting.claims("1"), secret: setting.secret)
            #expect(try await devices[place].write("Hello").status == 201)
        }
        for _ in 0..<40 {
            setting.server.time.advance(by: .seconds(20 * 3_600))
            #expect(
                try await devices[0].send(.get, "/phone", origin: nil)["conversation"]?.isNull
                    == false)
        }
        #expect(
            try await devices[1].send(.get, "/phone", origin: nil)["conversation"]?.isNull == true)
        _ = try await devices[1].identify(setting.claims("1"), secret: setting.secret)
        for _ in 0..<3 {
            setting.server.time.advance(by: .seconds(25 * 3_600))
            for place in devices.indices {
                let phone = try await devices[place].send(.get, "/phone", origin: nil)
                #expect(phone["conversation"]?.isNull == false)
            }
        }
    }

    @Test func `signing out leaves nothing in the browser`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("a"), secret: setting.secret)
        let first = try widgetConversation(of: try await browser.write("I am A"))
        let token = try #require(browser.cookies["fdw"])
        let out = try await browser.send(.delete, "/identity")
        #expect(out.status == 204)
        #expect(out.headers["access-control-allow-origin"] == WidgetBrowser.shop)
        #expect(browser.cookies.isEmpty)
        browser.cookies = ["fdw": token]
        #expect(try await browser.send(.get, "/phone", origin: nil)["conversation"]?.isNull == true)
        browser.cookies = [:]
        #expect(try widgetConversation(of: try await browser.write("Nobody")) != first)
    }

    @Test func `identities that no secret made are refused, and change nothing`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let before = try widgetConversation(of: try await browser.write("Hello"))
        let cookies = browser.cookies
        let old = #"{"sub":"1","iat":\#(setting.now - 301)}"#
        for (claims, secret) in [(setting.claims("1"), "fdws_forged"), (old, setting.secret)] {
            let refused = try await browser.identify(claims, secret: secret)
            #expect(refused.code == "identity_refused")
            #expect(refused.headers["access-control-allow-origin"] == WidgetBrowser.shop)
            #expect(browser.cookies == cookies)
        }
        for body in [
            "{}", #"{"token":7}"#, #"{"user":"1"}"#, #"{"token":"a.b.c","user":"1"}"#,
            #"{"user":"1","time":"now","hash":"x"}"#, "[]",
        ] {
            #expect(try await browser.send(.post, "/identity", body).status == 422, "\(body)")
        }
        #expect(try widgetConversation(of: try await browser.write("Still me")) == before)
    }

    @Test func `the short form identifies too, and says nothing else of the customer`() async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let hash = WidgetIdentityTests.hash("7", setting.now, secret: setting.secret)
        let answer = try await browser.send(
            .post, "/identity", #"{"user":"7","time":\#(setting.now),"hash":"\#(hash)"}"#)
        #expect(answer.status == 200)
        let id = try widgetConversation(of: try await browser.write("Hello"))
        #expect(try await setting.contact(of: id).externalID == "7")
        #expect(try await setting.contact(of: id).name == nil)
    }

    @Test func `an ended secret ends the identities that it verified, and another one goes on`()
        async throws
    {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let secrets = try await setting.server.get(setting.path, by: setting.owner)["secrets"]
        let id = try #require(secrets?[0]?["id"]?.string)
        let next = try #require(
            try await setting.server.post(setting.path + "/secrets", by: setting.owner)["secret"]?
                .string)
        #expect(try await browser.send(.get, "")["user"]?.isNull == false)
        let gone = try await setting.server.send(
            .delete, setting.path + "/secrets/\(id)", by: setting.owner)
        #expect(gone.status == 204)
        #expect(try await browser.send(.get, "")["user"]?.isNull == true)
        #expect(
            try await browser.identify(setting.claims("1"), secret: setting.secret).code
                == "identity_refused")
        #expect(try await browser.identify(setting.claims("1"), secret: next).status == 200)
    }

    @Test func `verified values go to the attributes that are defined, and to no others`()
        async throws
    {
        let setting = try await WidgetSetting()
        for (key, kind) in [("email", "text"), ("orders", "number"), ("site", "link")] {
            let made = try await setting.server.post(
                "/api/businesses/\(setting.server.other.id)/attributes",
                #"{"of":"contact","key":"\#(key)","type":"\#(kind)","name":"\#(key)"}"#,
                by: setting.owner)
            #expect(made.status == 201, "\(made.text)")
        }
        var browser = WidgetBrowser(setting.server)
        let claims = setting.claims(
            "1", #","email":"a@b.example","attributes":{"orders":3,"site":"no link","tier":"gold"}"#
        )
        _ = try await browser.identify(claims, secret: setting.secret)
        let id = try widgetConversation(of: try await browser.write("Hello"))
        let contact = try await setting.contact(of: id)
        #expect(contact.attributes == ["email": .text("a@b.example"), "orders": .number(3)])
        // Later visits bring later values.
        _ = try await browser.identify(
            setting.claims("1", #","name":"Ada","attributes":{"orders":4}"#), secret: setting.secret
        )
        let later = try await setting.contact(of: id)
        #expect(later.attributes["orders"] == .number(4))
        #expect(later.name == "Ada")
    }

    @Test(arguments: [true, false])
    func `a contact that the business knows by the id is the same person`(_ isVerified: Bool)
        async throws
    {
        let setting = try await WidgetSetting()
        let known = try await setting.server.makeConversation(setting.server.other)
        let caller =
            isVerified ? try await setting.server.makeKey([setting.server.other]) : setting.owner
        let path = "/api/businesses/\(setting.server.other.id)/contacts/\(known.id)"
        #expect(
            try await setting.server.send(.patch, path, #"{"externalId":"1"}"#, by: caller).status
                == 200)
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let id = try widgetConversation(of: try await browser.write("Hello"))
        // The contact is one; the conversations stay apart, for only the identity opens one.
        #expect(id != known.id.text)
        let contact = try await setting.contact(of: id)
        #expect(try await setting.contact(of: known.id.text).id == contact.id)
        #expect(contact.externalID == "1")
        #expect(contact.isExternalIDVerified)
    }

    @Test func `what a page says of the customer is kept as unverified`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        let page = #","page":{"name":"Ada","path":"/cart","attributes":{"tier":"gold","n":2}}"#
        let said = try await browser.write("Hello", page: page)
        #expect(said.status == 201)
        #expect(said["message"]?["page"] == nil)
        let id = try widgetConversation(of: said)
        let read = try await setting.server.get(
            "/api/conversations/\(id)/messages", by: setting.owner)
        let shown = read["data"]?[0]?["page"]
        #expect(shown?["name"]?.string == "Ada")
        #expect(shown?["email"]?.isNull == true)
        #expect(shown?["path"]?.string == "/cart")
        #expect(shown?["attributes"]?["tier"]?.string == "gold")
        #expect(try await setting.contact(of: id).name == nil)
        for bad in [
            #","page":{"zzz":1}"#, #","page":{"attributes":{"Bad":"x"}}"#, #","page":{"name":7}"#,
            #","page":{"attributes":{"a":null}}"#, #","page":[]"#,
            #","page":{"attributes":{"a":"\#(String(repeating: "x", count: 201))"}}"#,
        ] {
            #expect(try await browser.write("Hello", page: bad).status == 422, "\(bad)")
        }
        // On the customer's own page there is no page around.
        let own = try await setting.server.post(
            "/api/phone/\(setting.server.other.id)/messages",
            #"{"id":"\#(setting.server.services.broker.makeID())","text":"Hi","page":{"name":"Ada"}}"#
        )
        #expect(own.status == 422)
    }

    @Test func `a blocked customer signs out, and writes nothing`() async throws {
        let setting = try await WidgetSetting()
        var browser = WidgetBrowser(setting.server)
        _ = try await browser.identify(setting.claims("1"), secret: setting.secret)
        let id = try widgetConversation(of: try await browser.write("Hello"))
        let blocked = try await setting.server.post(
            "/api/businesses/\(setting.server.other.id)/contacts/\(id)/block", by: setting.owner)
        #expect(blocked.status == 200)
        #expect(try await browser.write("Again").code == "customer_blocked")
        var second = WidgetBrowser(setting.server)
        _ = try await second.identify(setting.claims("1"), secret: setting.secret)
        #expect(try await second.write("Again").code == "customer_blocked")
        #expect(try await browser.send(.delete, "/identity").status == 204)
    }
}
