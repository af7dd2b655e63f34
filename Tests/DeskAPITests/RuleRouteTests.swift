import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskTeam
import StoreSupport
import Testing

@testable import DeskAPI

struct RuleRouteTests {
    /// A server, its owner, and a reader of rules that is asked by hand.
    private struct Setting {
        let server: TestServer
        let owner: TestServer.Caller
        let runner: ReaderRunner

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            let services = server.services
            runner = ReaderRunner(
                RuleReader(services.broker, host: RuleSurroundings(services)), of: services.broker)
            try await run()
        }

        var path: String { "/api/businesses/\(server.business.id)/rules" }

        func run() async throws {
            _ = try await runner.readOn(under: try await server.store.leaseOfTest())
        }

        static func body(
            _ when: String = "customerMessage", if conditions: String = "[]", then actions: String,
            more: String = ""
        ) -> String {
            #"{"name":"R","when":"\#(when)","if":\#(conditions),"then":\#(actions)\#(more)}"#
        }

        func make(_ body: String) async throws -> Answer {
            try await server.post(path, body, by: owner)
        }

        func label(_ name: String, of business: BusinessID? = nil) async throws -> String {
            let made = try await server.post(
                "/api/businesses/\(business ?? server.business.id)/labels",
                ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
            return try #require(made["id"]?.string)
        }

        func publish(_ name: String, _ text: String, parameters: String = "") async throws {
            let made = try await server.post(
                "/api/templates",
                #"{"business":"\#(server.business.id)","name":"\#(name)","title":"T","#
                    + #""payload":{"type":"text","body":"\#(text)"}\#(parameters)}"#, by: owner)
            #expect(made.status == 201)
        }

        func log(_ query: String = "") async throws -> [JSONValue] {
            let answer = try await server.get(path + "/log" + query, by: owner)
            #expect(answer.status == 200, "\(answer.text)")
            return answer["data"]?.elements.map { $0 } ?? []
        }
    }

    @Test func `a rule is made, listed in its order, replaced and removed`() async throws {
        let setting = try await Setting()
        let (server, owner) = (setting.server, setting.owner)
        let made = try await setting.make(
            Setting.body(then: #"[{"note":"n"}]"#, more: #","order":2"#))
        #expect(made.status == 201, "\(made.text)")
        #expect(made["on"]?.bool == true)
        let id = try #require(made["id"]?.string)
        let second = try await setting.make(
            Setting.body("closed", then: #"[{"priority":"low"}]"#, more: #","order":1,"on":false"#))
        let list = try await server.get(setting.path, by: owner)
        #expect(
            list["data"]?.elements.compactMap { $0["id"]?.string }
                == [second["id"]?.string, id].compactMap(\.self))
        let body = Setting.body(
            "messageSent", if: #"[{"not":true,"state":"closed"}]"#, then: #"[{"assign":null}]"#)
        let set = try await server.send(.put, "\(setting.path)/\(id)", body, by: owner)
        #expect(set.status == 200, "\(set.text)")
        let one = try await server.get("\(setting.path)/\(id)", by: owner)
        #expect(one["when"]?.string == "messageSent")
        #expect(one["if"]?[0]?["not"]?.bool == true)
        #expect(one["order"]?.int == 0)
        let removed = try await server.send(.delete, "\(setting.path)/\(id)", "", by: owner)
        #expect(removed.status == 204)
        #expect(try await server.get("\(setting.path)/\(id)", by: owner).status == 404)
        let gone = try await server.send(.put, "\(setting.path)/\(id)", body, by: owner)
        #expect(gone.status == 404)
    }

    @Test func `what a rule names must be the business's own, and is refused with its place`()
        async throws
    {
        let setting = try await Setting()
        let foreign = try await setting.label("F", of: setting.server.other.id)
        try await setting.publish(
            "order", "Order {{order}}",
            parameters: #","parameters":[{"name":"order","type":"text"}]"#)
        for (conditions, actions, place) in [
            (#"[{"label":"\#(foreign)"}]"#, #"[{"note":"n"}]"#, "/if/0/label"),
            ("[]", #"[{"note":"n"},{"labels":{"add":["\#(foreign)"]}}]"#, "/then/1/labels/add"),
            ("[]", #"[{"team":"\#(foreign)"}]"#, "/then/0/team"),
            (#"[{"team":"\#(foreign)"}]"#, #"[{"note":"n"}]"#, "/if/0/team"),
            ("[]", #"[{"assign":"\#(foreign)"}]"#, "/then/0/assign"),
            ("[]", #"[{"assign":"me"}]"#, "/then/0/assign"),
            ("[]", #"[{"template":{"name":"gone"}}]"#, "/then/0/template/name"),
            ("[]", #"[{"template":{"name":"order"}}]"#, "/then/0/template"),
            (
                "[]", #"[{"template":{"name":"order","values":{"order":"{{customer.name}}"}}}]"#,
                "/then/0/template/values"
            ), ("[]", #"[{"note":"{{order}} of {{customer.name}}"}]"#, "/then/0/note"),
            ("[]", "[]", "/then"),
            (#"[{"state":"ajar"}]"#, #"[{"note":"n"}]"#, "/if/0/state"),
        ] {
            let refused = try await setting.make(Setting.body(if: conditions, then: actions))
            #expect(refused.status == 422)
            #expect(refused["errors"]?[0]?["pointer"]?.string == place, "\(refused.text)")
        }
        let loop = try await setting.make(
            Setting.body("snoozeEnded", then: #"[{"state":"snoozed","snoozeMinutes":1}]"#))
        #expect(loop.status == 422 && loop["errors"]?[0]?["pointer"]?.string == "/then")
        let word = try await setting.make(Setting.body("sunrise", then: #"[{"note":"n"}]"#))
        #expect(word["errors"]?[0]?["pointer"]?.string == "/when")
        #expect(try await setting.server.store.rules(of: setting.server.business.id) == [])
        let filled = try await setting.make(
            Setting.body(then: #"[{"template":{"name":"order","values":{"order":"7"}}}]"#))
        #expect(filled.status == 201, "\(filled.text)")
    }

    @Test func `a rule acts, and the log says what it did and why`() async throws {
        let setting = try await Setting()
        let label = try await setting.label("New")
        try await setting.publish("welcome", "Welcome to {{business.name}}")
        let made = try await setting.make(
            Setting.body(
                "conversationBegun", if: #"[{"state":"open"},{"kind":"text"}]"#,
                then: #"[{"labels":{"add":["\#(label)"]}},{"template":{"name":"welcome"}}]"#))
        let id = try #require(made["id"]?.string)
        let conversation = try await setting.server.makeConversation()
        try await setting.run()
        let after = try #require(
            try await setting.server.store.findConversation(conversation.id))
        #expect(after.labels.map(\.text) == [label])
        let messages = try await setting.server.store.messages(
            in: conversation.id, .newest, limit: 9)
        let said = try #require(messages.elements.last)
        #expect(said.facts.isAutomatic && said.facts.author.kind == "rule")
        let entry = try #require(try await setting.log("?rule=\(id)").first)
        #expect(entry["outcome"]?.string == "done")
        #expect(entry["conversation"]?["id"]?.string == conversation.id.text)
        #expect(entry["conversation"]?["customer"]?.string == conversation.customer.id.text)
        #expect(
            entry["reason"]?["found"]?.elements.compactMap(\.string) == ["open", "text"])
        #expect(
            entry["reason"]?["results"]?.elements.compactMap(\.string) == ["done", "done"])
        let thread = try await setting.server.get(
            "/api/conversations/\(conversation.id)/messages", by: setting.owner)
        #expect(thread["data"]?[1]?["author"]?["type"]?.string == "rule")
        #expect(thread["data"]?[1]?["author"]?["name"]?.string == "R")
        #expect(thread["data"]?[1]?["author"]?["id"]?.string == id)
        #expect(try await setting.log("?before=\(entry["number"]?.int ?? 0)").isEmpty)
    }

    @Test
    func `a rule acts on a broken promise, and what it changes leads to no further breach for it`()
        async throws
    {
        let setting = try await Setting()
        let server = setting.server
        _ = try await server.send(
            .put, "/api/businesses/\(server.business.id)/service-levels",
            #"{"firstAnswer":{"none":10,"urgent":5},"nextAnswer":{},"clock":"always"}"#,
            by: setting.owner)
        let made = try await setting.make(
            Setting.body("firstAnswerOverdue", then: #"[{"priority":"urgent"},{"note":"Late"}]"#))
        #expect(made.status == 201, "\(made.text)")
        _ = try await setting.make(
            Setting.body("nextAnswerOverdue", then: #"[{"priority":"low"}]"#))
        let conversation = try await server.makeConversation()
        let scheduler = Scheduler(services: server.services)
        for _ in 0..<5 {
            server.time.advance(by: .seconds(300))
            for _ in 0..<3 { _ = try await scheduler.doRound() }
            try await setting.run()
        }
        let after = try #require(try await server.store.findConversation(conversation.id))
        #expect(after.priority == .urgent)
        let entries = try await setting.log("")
        #expect(entries.count == 1, "\(entries)")
        #expect(entries.first?["when"]?.string == "firstAnswerOverdue")
        let dryRun = try await server.post(
            setting.path + "/dry-run",
            Setting.body("firstAnswerOverdue", then: #"[{"note":"Late"}]"#), by: setting.owner)
        #expect(dryRun["matches"]?.int == 1, "\(dryRun.text)")
    }

    @Test func `a rule whose label was retired is refused in the log and has a warning`()
        async throws
    {
        let setting = try await Setting()
        let label = try await setting.label("Old")
        let made = try await setting.make(
            Setting.body(then: #"[{"priority":"high"},{"labels":{"add":["\#(label)"]}}]"#))
        #expect(made["warnings"]?.count == 0)
        _ = try await setting.server.send(
            .patch, "/api/businesses/\(setting.server.business.id)/labels/\(label)",
            #"{"retired":true}"#, by: setting.owner)
        let conversation = try await setting.server.makeConversation()
        try await setting.run()
        #expect(
            try await setting.server.store.findConversation(conversation.id)?.priority
                == Priority.none)
        let entry = try #require(try await setting.log().first)
        #expect(entry["outcome"]?.string == "refused")
        #expect(entry["reason"]?["detail"]?.string?.isEmpty == false)
        let list = try await setting.server.get(setting.path, by: setting.owner)
        #expect(list["data"]?[0]?["warnings"]?[0]?["pointer"]?.string == "/then/1")
        // It can be switched off as it is, but not be given another condition.
        let path = "\(setting.path)/\(try #require(made["id"]?.string))"
        let actions = #"[{"priority": "high"},{"labels":{"add":["\#(label)"]}}]"#
        let off = try await setting.server.send(
            .put, path, Setting.body(then: actions, more: #","on":false"#), by: setting.owner)
        #expect(off.status == 200 && off["on"]?.bool == false, "\(off.text)")
        let other = try await setting.server.send(
            .put, path, Setting.body(if: #"[{"state":"open"}]"#, then: actions), by: setting.owner)
        #expect(other.status == 422)
    }

    @Test func `a dry run names the conversations that a rule would have touched`() async throws {
        let setting = try await Setting()
        let conversation = try await setting.server.makeConversation()
        let before = setting.server.store.newest
        let answer = try await setting.server.post(
            setting.path + "/dry-run",
            Setting.body(if: #"[{"priority":"none"}]"#, then: #"[{"priority":"high"}]"#),
            by: setting.owner)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["matches"]?.int == 1 && answer["conversations"]?.int == 1)
        #expect(answer["data"]?[0]?["conversation"]?["id"]?.string == conversation.id.text)
        #expect(
            answer["data"]?[0]?["conversation"]?["customer"]?.string
                == conversation.customer.id.text)
        #expect(answer["data"]?[0]?["found"]?[0]?.string == "none")
        #expect(setting.server.store.newest == before)
        #expect(
            try await setting.server.store.rules(of: setting.server.business.id) == [])
    }

    @Test func `rules are the owners'`() async throws {
        let setting = try await Setting()
        let agent = try await setting.server.makeMember(
            "ben@example.com", .agent, of: setting.server.business, by: setting.owner)
        #expect(try await setting.server.get(setting.path, by: agent).status == 403)
        let refused = try await setting.server.post(
            setting.path, Setting.body(then: #"[{"note":"n"}]"#), by: agent)
        #expect(refused.status == 403)
    }

    @Test func `there are so many rules and no more`() async throws {
        let setting = try await Setting()
        for number in 0..<TeamRule.most {
            let rule = TeamRule(
                id: TeamRuleID(UniqueID(high: 6, low: UInt64(number))),
                business: setting.server.business.id, name: "R", isOn: false, order: 0,
                trigger: .closed, conditions: Array("[]".utf8),
                actions: Array(#"[{"note":"n"}]"#.utf8))
            try await setting.server.services.broker.save(rule, isNew: true, by: .server)
        }
        let refused = try await setting.make(Setting.body(then: #"[{"note":"n"}]"#))
        #expect(refused.status == 422)
        #expect(refused["detail"]?.string?.contains("100 rules") == true)
    }
}
