import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ImportRouteTests {
    private static let lines: HeaderFields = ["Content-Type": "application/x-ndjson"]

    private struct Desk {
        let server: TestServer
        let owner: TestServer.Caller
        let key: TestServer.Caller

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.business])
        }

        func bring(
            _ lines: String, query: String = "source=chatwoot", by caller: TestServer.Caller? = nil
        ) async throws -> Answer {
            try await server.post(
                "/api/businesses/\(server.business.id)/imports?\(query)", lines,
                by: caller ?? key, headers: ImportRouteTests.lines)
        }

        func conversation(of customer: String) async throws -> Conversation {
            let names = ImportNames(business: server.business.id, system: "chatwoot")
            return try #require(
                try await server.store.findConversation(
                    of: names.customer(customer), with: server.business.id))
        }
    }

    private static let story = #"""
        {"type":"label","name":"Refund","colour":"#112233"}
        {"type":"template","name":"hello","title":"Hello","text":"Hello, {{agent.name}} here."}
        {"type":"customer","customer":"17","name":"Mio Tanaka","externalId":"C-17","locale":"ja_JP","notes":"email: mio@example.com"}
        {"type":"conversation","customer":"17","state":"open","assignee":"ada@example.com","priority":"high","labels":["refund"]}
        {"type":"message","customer":"17","id":"m1","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"Is my order ready?"}
        {"type":"note","customer":"17","id":"n1","time":"2025-03-01T09:01:00Z","author":"Alice","text":"Asked the shop."}
        {"type":"message","customer":"17","id":"m2","time":"2025-03-01T09:02:00Z","direction":"outbound","author":"Alice","text":"It is."}
        {"type":"message","customer":"17","id":"m3","time":"2025-03-01T09:03:00Z","direction":"outbound","authorEmail":"Ada@example.com","text":"Come by."}
        """#

    private func counts(_ answer: Answer, _ type: String) -> [Int?] {
        ["added", "updated", "known", "refused"].map { answer["counts"]?[type]?[$0]?.int }
    }

    @Test func `a story comes in with its times, authors and marks, and a second time not at all`()
        async throws
    {
        let desk = try await Desk()
        let first = try await desk.bring(Self.story)
        #expect(first.status == 200)
        #expect(first["findings"]?.count == 0)
        for (type, expected) in [
            ("label", [1, 0, 0, 0]), ("template", [1, 0, 0, 0]), ("customer", [1, 0, 0, 0]),
            ("conversation", [0, 1, 0, 0]), ("message", [3, 0, 0, 0]), ("note", [1, 0, 0, 0]),
        ] {
            #expect(counts(first, type) == expected, "\(type)")
        }
        let conversation = try await desk.conversation(of: "17")
        #expect(conversation.state == .open)
        #expect(conversation.contactName == "Mio Tanaka")
        #expect(conversation.customer.locale == "ja_JP")
        #expect(conversation.waitingSince == nil)
        #expect(conversation.unread == 0)
        #expect(conversation.priority == .high)
        #expect(conversation.labels.count == 1)
        let thread = try await desk.server.get(
            "/api/conversations/\(conversation.id)/messages", by: desk.owner)
        let messages = thread["data"].map { Array($0.elements) } ?? []
        let names = ImportNames(business: desk.server.business.id, system: "chatwoot")
        #expect(
            messages.map { $0["id"]?.string }
                == ["m1", "m2", "m3"].map { names.message($0, of: conversation.customer.id).text })
        #expect(
            messages.map { $0["importedFrom"]?.string } == ["chatwoot", "chatwoot", "chatwoot"])
        #expect(
            messages.map { $0["time"]?.string } == [
                "2025-03-01T09:00:00.000Z", "2025-03-01T09:02:00.000Z", "2025-03-01T09:03:00.000Z",
            ])
        #expect(messages[1]["author"]?["id"]?.string == "Alice")
        #expect(messages[2]["author"]?["name"]?.string == "Ada")
        #expect(messages[0]["payload"]?["body"]?.string == "Is my order ready?")
        #expect(thread["notes"]?[0]?["afterSequence"]?.int == 1)
        let newest = desk.server.store.newest
        let second = try await desk.bring(Self.story)
        for type in ["label", "template", "customer", "conversation", "note"] {
            #expect(counts(second, type) == [0, 0, 1, 0], "\(type)")
        }
        #expect(counts(second, "message") == [0, 0, 3, 0])
        #expect(desk.server.store.newest == newest)
        let changed = try await desk.bring(
            ##"{"type":"label","name":"Refund","colour":"#445566"}"## + "\n"
                + #"{"type":"customer","customer":"17","name":"Mio T."}"#)
        #expect(counts(changed, "label") == [0, 1, 0, 0])
        #expect(counts(changed, "customer") == [0, 1, 0, 0])
    }

    @Test func `a dry run counts the same and stores nothing`() async throws {
        let desk = try await Desk()
        let newest = desk.server.store.newest
        let dry = try await desk.bring(Self.story, query: "source=chatwoot&dryRun=true")
        #expect(desk.server.store.newest == newest)
        #expect(dry["dryRun"]?.bool == true)
        let real = try await desk.bring(Self.story)
        #expect(dry["counts"]?.rawText == real["counts"]?.rawText)
        let again = try await desk.bring(Self.story, query: "source=chatwoot&dryRun=true")
        let second = try await desk.bring(Self.story)
        #expect(again["counts"]?.rawText == second["counts"]?.rawText)
    }

    @Test func `a dry run counts once what the lines have twice, and knows more than 300 notes`()
        async throws
    {
        let desk = try await Desk()
        let twice = Self.story + "\n" + Self.story
        let dry = try await desk.bring(twice, query: "source=chatwoot&dryRun=true")
        let real = try await desk.bring(twice)
        for type in ["message", "note"] {
            #expect(dry["counts"]?[type]?.rawText == real["counts"]?[type]?.rawText)
        }
        #expect(counts(dry, "message") == [3, 0, 3, 0])
        let notes = (1...301).map { number in
            #"{"type":"note","customer":"17","id":"n\#(number)","time":"2025-03-01T09:01:00Z","text":"x"}"#
        }.joined(separator: "\n")
        #expect(counts(try await desk.bring(notes), "note") == [300, 0, 1, 0])
        let again = try await desk.bring(notes, query: "source=chatwoot&dryRun=true")
        #expect(counts(again, "note") == [0, 0, 301, 0])
    }

    @Test func `a dry run says of each line what would become of it`() async throws {
        let desk = try await Desk()
        let lines = Self.story + "\n\nno json\n" + Self.story
        let dry = try await desk.bring(lines, query: "source=chatwoot&dryRun=true")
        let outcomes = try #require(dry["outcomes"]).elements.map(\.string)
        #expect(outcomes.count == dry["lines"]?.int)
        #expect(
            outcomes.prefix(10) == [
                "added", "added", "added", "updated", "added", "added", "added", "added", nil,
                "refused",
            ])
        // The label and the messages and notes stand twice.
        #expect(outcomes[10] == "known")
        #expect(outcomes[14...17].allSatisfy { $0 == "known" })
        #expect(try await desk.bring(Self.story)["outcomes"] == nil)
    }

    @Test func `what the server exported itself is known to it, notes among it`() async throws {
        let desk = try await Desk()
        let here = try await desk.server.makeConversation()
        let noted = try await desk.server.post(
            "/api/conversations/\(here.id)/notes", #"{"text":"Phone her."}"#, by: desk.owner)
        #expect(noted.status == 201)
        let exported = noted["note"] ?? noted.document?.root
        let id = try #require(exported?["id"]?.string)
        let line =
            #"{"type":"note","customer":"\#(here.customer.id)","id":"\#(id)","time":"2026-01-01T00:00:00Z","text":"Phone her."}"#
        #expect(counts(try await desk.bring(line, query: "source=self"), "note") == [0, 0, 1, 0])
        // In another conversation the name is a foreign one.
        let other = line.replacing("\(here.customer.id)", with: "17")
        #expect(counts(try await desk.bring(other, query: "source=self"), "note") == [1, 0, 0, 0])
        #expect(counts(try await desk.bring(other, query: "source=self"), "note") == [0, 0, 1, 0])
    }

    @Test func `each line is judged by itself, and a finding says where and what is allowed`()
        async throws
    {
        let desk = try await Desk()
        let answer = try await desk.bring(
            #"""
            {"type":"message","customer":"1","id":"a","time":"2025-03-01T09:00:00Z","direction":"sideways","text":"x"}
            {"type":"mesage"}
            no json

            {"type":"message","customer":"1","id":"b","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"kept"}
            {"type":"message","customer":"1","id":"c","time":"2025-03-01T08:00:00Z","direction":"inbound","text":"late"}
            {"type":"conversation","customer":"2","labels":["nothing"],"assignee":"who@example.com"}
            {"type":"customer","customer":"3","nane":"x"}
            """#)
        #expect(answer["lines"]?.int == 8)
        #expect(answer["unknown"]?.int == 2)
        #expect(counts(answer, "message") == [1, 0, 0, 2])
        let findings = answer["findings"].map { Array($0.elements) } ?? []
        #expect(findings.map { $0["line"]?.int } == [1, 2, 3, 6, 7, 7, 8])
        #expect(
            findings.map { $0["code"]?.string } == [
                "invalid", "invalid", "malformed_json", "precondition_failed", "invalid", "invalid",
                "invalid",
            ])
        #expect(
            findings.map { $0["severity"]?.string } == [
                "error", "error", "error", "error", "warning", "warning", "error",
            ])
        let first = findings[0]["errors"]?[0]
        #expect(first?["pointer"]?.string == "/direction")
        #expect(first?["found"]?.string == #""sideways""#)
        #expect(first?["allowed"]?.string == "one of inbound, outbound")
        #expect(findings[6]["errors"]?[0]?["pointer"]?.string == "/nane")
        #expect(try await desk.conversation(of: "1").newest == SequenceNumber(1))
    }

    @Test func `a customer who wrote here keeps the conversation, and older history is refused`()
        async throws
    {
        let desk = try await Desk()
        let here = try await desk.server.makeConversation()
        let answer = try await desk.bring(
            #"{"type":"customer","customer":"\#(here.customer.id)","name":"Mio"}"# + "\n"
                + #"{"type":"message","customer":"\#(here.customer.id)","id":"m1","time":"2001-03-01T09:00:00Z","direction":"inbound","text":"Old"}"#
        )
        #expect(counts(answer, "customer") == [0, 1, 0, 0])
        #expect(counts(answer, "message") == [0, 0, 0, 1])
        #expect(answer["findings"]?[0]?["code"]?.string == "precondition_failed")
        let after = try #require(try await desk.server.store.findConversation(here.id))
        #expect(after.newest == SequenceNumber(1))
        #expect(after.unread == 1)
    }

    @Test func `streams and pages leave what was imported out unless it is asked for`() async throws
    {
        let desk = try await Desk()
        _ = try await desk.bring(Self.story)
        func types(_ query: String) async throws -> [String?] {
            let page = try await desk.server.get(
                "/api/events?limit=300\(query)", by: desk.key,
                headers: ["Accept": "application/json"])
            return page["data"].map { $0.elements.map { $0["type"]?.string } } ?? []
        }
        #expect(
            try await Set(types("")) == ["label.saved", "template.published"])
        let only = try await types("&filter%5Bimported%5D=only")
        #expect(only.filter { $0 == "message.accepted" }.count == 3)
        #expect(only.contains("contact.saved"))
        #expect(try await types("&filter%5Bimported%5D=include").count == only.count + 2)
        let page = try await desk.server.get(
            "/api/events?filter%5Bimported%5D=only&filter%5Btype%5D=message.accepted", by: desk.key,
            headers: ["Accept": "application/json"])
        #expect(page["data"]?[0]?["imported"]?.bool == true)
        let wrong = try await desk.server.get(
            "/api/events?filter%5Bimported%5D=yes", by: desk.key,
            headers: ["Accept": "application/json"])
        #expect(wrong.code == "invalid")
    }

    @Test func `imports of one template at the same time make one version of it`() async throws {
        let desk = try await Desk()
        let line = #"{"type":"template","name":"hello","title":"Hello","text":"Hello."}"#
        let counted = try await withThrowingTaskGroup(of: [Int?].self) { group in
            for _ in 0..<8 {
                group.addTask { counts(try await desk.bring(line), "template") }
            }
            var counted: [[Int?]] = []
            for try await one in group { counted.append(one) }
            return counted
        }
        #expect(counted.filter { $0 == [1, 0, 0, 0] }.count == 1, "\(counted)")
        #expect(counted.filter { $0 == [0, 0, 1, 0] }.count == 7, "\(counted)")
        let name = try #require(TemplateName("hello"))
        let found = try await desk.server.store.findTemplate(
            name, of: desk.server.business.id, version: nil)
        #expect(found?.version == 1)
    }

    @Test(arguments: ["\\u0007", "\\u202E", "\\u2066", "  "])
    func `an author's name that is no line of text is refused`(_ part: String) async throws {
        let desk = try await Desk()
        let author = part == "  " ? part : "Ali\(part)ce"
        for line in [
            #"{"type":"message","customer":"17","id":"m2","time":"2025-03-01T09:02:00Z","direction":"outbound","author":"\#(author)","text":"It is."}"#,
            #"{"type":"note","customer":"17","id":"n1","time":"2025-03-01T09:01:00Z","author":"\#(author)","text":"Asked."}"#,
        ] {
            let answer = try await desk.bring(line)
            let finding = answer["findings"]?[0]?["errors"]?[0]
            #expect(finding?["pointer"]?.string == "/author", "\(answer.text)")
        }
    }

    @Test func `a mark before the first line and a CR behind each are no part of it`() async throws
    {
        let desk = try await Desk()
        let lines = Self.story.replacing("\n", with: "\r\n")
        let answer = try await desk.bring("\u{FEFF}\(lines)\r\n")
        #expect(answer["findings"]?.count == 0, "\(answer.text)")
        #expect(counts(answer, "label") == [1, 0, 0, 0])
        let later = try await desk.bring("{}\n\u{FEFF}{}")
        #expect(later["findings"]?[1]?["code"]?.string == "malformed_json", "\(later.text)")
    }

    @Test func `agents may not import, and another business is not found`() async throws {
        let desk = try await Desk()
        let agent = try await desk.server.makeMember(
            "ben@example.com", .agent, of: desk.server.business, by: desk.owner)
        #expect(try await desk.bring(Self.story, by: agent).code == "forbidden")
        let other = try await desk.server.post(
            "/api/businesses/\(desk.server.other.id)/imports", Self.story, by: desk.key,
            headers: Self.lines)
        #expect(other.status == 404)
        #expect(try await desk.bring(Self.story, by: desk.owner).status == 200)
    }

    @Test func `a body has 1,000 lines and the right type`() async throws {
        let desk = try await Desk()
        let line = #"{"type":"label","name":"a"}"# + "\n"
        let most = String(repeating: line, count: 1_000)
        #expect(try await desk.bring(most)["lines"]?.int == 1_000)
        #expect(try await desk.bring(most + line).code == "invalid")
        let json = try await desk.server.post(
            "/api/businesses/\(desk.server.business.id)/imports", line, by: desk.key)
        #expect(json.status == 415)
        #expect(try await desk.bring(line, query: "source=Chat%20woot").code == "invalid")
        #expect(try await desk.bring(line, query: "sorce=a").code == "bad_request")
        #expect(try await desk.bring("")["lines"]?.int == 0)
    }

    @Test func `findings are named up to 100 and counted beyond`() async throws {
        let desk = try await Desk()
        let answer = try await desk.bring(String(repeating: "x\n", count: 101))
        #expect(answer["findings"]?.count == 100)
        #expect(answer["findingsLeftOut"]?.int == 1)
        #expect(answer["unknown"]?.int == 101)
    }

    @Test func `a payload of an export comes in as it was, under the names of here`() async throws {
        let desk = try await Desk()
        let payload =
            #"{\"v\":1,\"id\":\"old\",\"sourceId\":\"x\",\"destinationId\":\"y\",\"type\":\"text\",\"body\":\"Hi\",\"attachments\":[{\"name\":\"a\"}]}"#
        let answer = try await desk.bring(
            #"{"type":"message","customer":"4","id":"4e3d8b0a-9f3e-4a53-8f6f-3a4ad1f3a001","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"ignored","payload":"\#(payload)","sequence":9}"#
        )
        #expect(counts(answer, "message") == [1, 0, 0, 0], "\(answer.text)")
        let conversation = try await desk.conversation(of: "4")
        let id = try #require(MessageID("4e3d8b0a-9f3e-4a53-8f6f-3a4ad1f3a001"))
        let found = try await desk.server.store.findMessage(id, in: conversation.id)
        let root = try #require(
            found?.payload.carriedBytes.flatMap { JSONValue.parsed($0) })
        #expect(root["id"]?.string == id.text)
        #expect(root["sourceId"]?.string == conversation.customer.id.text)
        #expect(root["destinationId"]?.string == desk.server.business.id.text)
        #expect(root["body"]?.string == "Hi")
        #expect(root["attachments"] == nil)
    }
}
