import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct SatisfactionTests {
    /// A server, its owner, a phone that wrote once, and a scheduler that is asked by hand.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let phone: TestServer.Caller
        let conversation: ConversationID
        let scheduler: Scheduler

        init(_ settings: String = #"{"isOn":true}"#, locale: String = "en_US") async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            scheduler = Scheduler(services: server.services)
            let begun = try await server.post(
                "/api/phone/\(server.business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"Hi","locale":"\#(locale)"}"#)
            phone = .customer(try #require(begun.cookie("fdc")))
            let text = try #require(begun["message"]?["conversation"]?.string)
            conversation = try #require(ConversationID(text))
            let set = try await server.send(.put, path, settings, by: owner)
            #expect(set.status == 200)
        }

        var path: String { "/api/businesses/\(server.business.id)/satisfaction" }

        func pass(_ duration: Duration = .milliseconds(1)) async throws {
            server.time.advance(by: duration)
            _ = try await scheduler.doRound()
        }

        func say(_ text: String, by caller: TestServer.Caller? = nil) async throws {
            let sent = try await server.post(
                "/api/conversations/\(conversation)/messages",
                #"{"type":"text","body":"\#(text)"}"#, by: caller ?? owner)
            #expect(sent.status == 201)
        }

        func write(_ text: String) async throws {
            let sent = try await server.post(
                "/api/phone/\(server.business.id)/messages",
                #"{"id":"\#(server.services.broker.makeID())","text":"\#(text)"}"#, by: phone)
            #expect(sent.status == 201)
        }

        func change(_ body: String, by caller: TestServer.Caller? = nil) async throws {
            let changed = try await server.send(
                .patch, "/api/conversations/\(conversation)", body, by: caller ?? owner)
            #expect(changed.status == 200)
        }

        func close() async throws { try await change(#"{"state":"closed"}"#) }

        func find() async throws -> Conversation {
            try #require(try await server.store.findConversation(conversation))
        }

        /// What the server sent by itself.
        func asked() async throws -> [StoredMessage] {
            try await server.store.messages(in: conversation, .newest, limit: 99).elements
                .filter { $0.facts.author == .server }
        }

        @discardableResult
        func choose(_ choice: String, to question: StoredMessage? = nil) async throws -> Answer {
            let known = try await question == nil ? asked().last : nil
            let asked = try #require(question ?? known)
            return try await server.post(
                "/api/phone/\(server.business.id)/choices",
                #"{"id":"\#(server.services.broker.makeID())","inReplyTo":"\#(asked.id.text)","#
                    + choice + "}", by: phone)
        }

        func score(_ score: Int, to question: StoredMessage? = nil) async throws {
            let answer = try await choose(
                #""quickReply":{"identifier":"satisfaction-\#(score)"}"#, to: question)
            #expect(answer.status == 201)
        }

        func types() async throws -> [String] {
            try await server.store.events(
                after: .start, in: .conversation(conversation), limit: 200
            ).events.map(\.type.rawValue)
        }
    }

    @Test func `a customer whose conversation was closed is asked once, and the score is kept`()
        async throws
    {
        let setting = try await Setting()
        try await setting.say("Done")
        try await setting.close()
        try await setting.pass()
        try await setting.pass()
        let asked = try await setting.asked()
        #expect(asked.count == 1)
        #expect(asked.first?.facts.kind == .quickReply)
        #expect(asked.first?.facts.isAutomatic == true)
        #expect(asked.first?.facts.warnings.isEmpty == true)
        let before = try await setting.find()
        #expect(before.state == .closed)
        #expect(before.satisfaction?.question.work.assignee == before.assignee)
        #expect(before.assignee != nil)
        try await setting.score(4)
        let after = try await setting.find()
        #expect(after.state == .closed)
        #expect(after.satisfaction?.answer?.score == 4)
        #expect(after.waitingSince == nil)
        #expect(after.unread == 0)
        #expect(after.answerDue == nil)
        #expect(after.last?.direction == .inbound)
        let path = "/api/conversations/\(setting.conversation)"
        let shown = try await setting.server.get(path, by: setting.owner)
        #expect(shown["satisfaction"]?["score"]?.int == 4)
        #expect(shown["satisfaction"]?["agent"]?["name"]?.string == "Ada")
        let thread = try await setting.server.get(path + "/messages", by: setting.owner)
        let event = thread["events"]?.elements.first {
            $0["type"]?.equals("conversation.satisfaction_answered") == true
        }
        #expect(event?["data"]?["change"]?["satisfaction"]?["score"]?.int == 4)
        #expect(event?["by"]?["type"]?.string == "customer")
        #expect(event?["afterSequence"]?.int == Int(after.newest.value))
        // One who answered is thanked, once.
        try await setting.pass()
        try await setting.pass()
        #expect(try await setting.asked().map(\.facts.summary).last == "Thank you for your answer.")
        #expect(try await setting.asked().count == 2)
        #expect(try await setting.find().state == .closed)
    }

    @Test func `a score may be changed for a day, and what comes later is a message like others`()
        async throws
    {
        let setting = try await Setting(#"{"isOn":true,"texts":{"en":{"thanks":null}}}"#)
        try await setting.say("Done")
        try await setting.close()
        try await setting.pass()
        try await setting.score(2)
        try await setting.pass(.seconds(86_000))
        try await setting.score(5)
        #expect(try await setting.find().satisfaction?.answer?.score == 5)
        #expect(try await setting.find().state == .closed)
        #expect(try await setting.asked().count == 1)
        try await setting.pass(.seconds(500))
        try await setting.score(1)
        #expect(try await setting.find().satisfaction?.answer?.score == 5)
        #expect(try await setting.find().state == .open)
    }

    @Test func `words instead of a score open the conversation as ever`() async throws {
        let setting = try await Setting()
        try await setting.say("Done")
        try await setting.close()
        try await setting.pass()
        try await setting.write("It broke again")
        let after = try await setting.find()
        #expect(after.state == .open)
        #expect(after.waitingSince != nil)
        #expect(after.satisfaction?.answer == nil)
        // The score still counts, and changes nothing of the waiting.
        try await setting.score(3)
        let scored = try await setting.find()
        #expect(scored.satisfaction?.answer?.score == 3)
        #expect(scored.waitingSince == after.waitingSince)
        #expect(scored.unread == after.unread)
    }

    @Test(arguments: ["open", "unanswered", "off", "left", "blocked", "recent", "old"])
    func `no customer is asked where it is not due any more`(_ reason: String) async throws {
        let setting = try await Setting(#"{"isOn":true,"delayMinutes":10,"notAgainDays":7}"#)
        if reason != "unanswered" { try await setting.say("Done") }
        if reason == "recent" {
            try await setting.close()
            try await setting.pass(.seconds(601))
            #expect(try await setting.asked().count == 1)
            try await setting.write("More")
            try await setting.say("More too")
        }
        try await setting.close()
        switch reason {
        case "open": try await setting.change(#"{"state":"open"}"#)
        case "off":
            _ = try await setting.server.send(
                .put, setting.path, #"{"isOn":false}"#, by: setting.owner)
        case "left":
            _ = try await setting.server.services.broker.change(
                setting.conversation, .leave, by: .customer(device: "d"))
        case "blocked":
            _ = try await setting.server.services.broker.change(
                setting.conversation, .block(setting.server.time.now), by: .server)
        default: break
        }
        try await setting.pass(.seconds(reason == "old" ? 90_000 : 601))
        #expect(try await setting.asked().count == (reason == "recent" ? 1 : 0))
        #expect(
            try await setting.server.store.findDueWork(
                DueWork.Name(.ask, in: setting.conversation)) == nil)
    }

    @Test func `a customer is asked again once the days have passed`() async throws {
        let setting = try await Setting(#"{"isOn":true,"notAgainDays":7}"#)
        // A session of the owner ends before the days do.
        let key = try await setting.server.makeKey([setting.server.business])
        for count in [1, 1, 2] {
            try await setting.write("Hello again")
            try await setting.say("Done", by: key)
            try await setting.change(#"{"state":"closed"}"#, by: key)
            try await setting.pass()
            #expect(try await setting.asked().count == count)
            try await setting.pass(.seconds(4 * 86_400))
        }
    }

    @Test func `an earlier answer of an agent is not the work that was closed`() async throws {
        let setting = try await Setting()
        try await setting.say("Done")
        _ = try await setting.server.send(
            .put, setting.path, #"{"isOn":false}"#, by: setting.owner)
        try await setting.close()
        try await setting.write("Hello again")
        _ = try await setting.server.send(
            .put, setting.path, #"{"isOn":true}"#, by: setting.owner)
        try await setting.close()
        try await setting.pass()
        #expect(try await setting.asked().isEmpty)
    }

    @Test func `two who close at the same moment have one question asked`() async throws {
        let setting = try await Setting()
        try await setting.say("Done")
        async let first: Void = setting.close()
        async let second: Void = setting.close()
        _ = try await (first, second)
        async let one: Void = setting.pass()
        async let other: Void = setting.pass()
        _ = try await (one, other)
        #expect(try await setting.asked().count == 1)
        #expect(
            try await setting.types().filter { $0 == "conversation.satisfaction_asked" }.count == 1)
    }

    @Test func `a form asks for a score and words, and erasing the answer erases the words`()
        async throws
    {
        let setting = try await Setting(#"{"isOn":true,"kind":"form"}"#, locale: "ja_JP")
        try await setting.say("Done")
        try await setting.close()
        try await setting.pass()
        let asked = try #require(try await setting.asked().first)
        #expect(asked.facts.kind == .form)
        #expect(asked.facts.warnings.isEmpty)
        let said = String(decoding: asked.payload.carriedBytes ?? [], as: UTF8.self)
        #expect(said.contains("今回の対応"))
        let answer = try await setting.choose(
            #""form":{"answers":[{"page":"satisfaction","items":["satisfaction-2"]},"#
                + #"{"page":"comment","text":"遅い"}]}"#)
        #expect(answer.status == 201)
        let kept = try #require(try await setting.find().satisfaction?.answer)
        #expect(kept.score == 2)
        #expect(kept.comment == "遅い")
        let erased = try await setting.server.store.append(
            Erasing(
                [kept.message], in: setting.conversation, by: .command,
                at: setting.server.time.now)
        ).get()
        #expect(erased.count == 1)
        let after = try await setting.find().satisfaction?.answer
        #expect(after?.score == 2)
        #expect(after?.comment == nil)
    }

    @Test func `a device without forms gets the choices`() async throws {
        let setting = try await Setting(#"{"isOn":true,"kind":"form"}"#)
        try await setting.say("Done")
        var customer = try await setting.find().customer
        customer.capabilities = ["QUICK"]
        _ = try await setting.server.services.broker.change(
            setting.conversation, .describe(customer), by: .server)
        try await setting.close()
        try await setting.pass()
        #expect(try await setting.asked().first?.facts.kind == .quickReply)
    }

    @Test func `what is chosen is answered whole, and a wrong value is refused with its place`()
        async throws
    {
        let setting = try await Setting()
        let read = try await setting.server.get(setting.path, by: setting.owner)
        #expect(read["isOn"]?.bool == true)
        #expect(read["notAgainDays"]?.int == 30)
        #expect(read["texts"]?["ja"]?["choices"]?.count == 5)
        let events = try await setting.server.store.events(
            after: .start, in: .everything, limit: 200
        ).events.filter { $0.type == .satisfactionSaved }
        #expect(events.count == 1)
        // The same once more is no event.
        _ = try await setting.server.send(.put, setting.path, #"{"isOn":true}"#, by: setting.owner)
        #expect(
            try await setting.server.store.events(after: .start, in: .everything, limit: 200)
                .events.filter { $0.type == .satisfactionSaved }.count == 1)
        let rows = [
            (#"{}"#, ""), (#"{"isOn":1}"#, "/isOn"),
            (#"{"isOn":true,"kind":"stars"}"#, "/kind"),
            (#"{"isOn":true,"delayMinutes":1441}"#, "/delayMinutes"),
            (#"{"isOn":true,"notAgainDays":0}"#, "/notAgainDays"),
            (#"{"isOn":true,"texts":{"de":{}}}"#, "/texts/de"),
            (#"{"isOn":true,"texts":{"en":{"question":" "}}}"#, "/texts/en/question"),
            (#"{"isOn":true,"texts":{"en":{"choices":["a"]}}}"#, "/texts/en/choices"),
            (
                #"{"isOn":true,"texts":{"en":{"choices":["a","b","c","d","a"]}}}"#,
                "/texts/en/choices/4"
            ),
        ]
        for (body, pointer) in rows {
            let refused = try await setting.server.send(
                .put, setting.path, body, by: setting.owner)
            #expect(refused.status == 422, "\(body)")
            #expect(refused["errors"]?[0]?["pointer"]?.string == pointer, "\(body)")
        }
    }
}
