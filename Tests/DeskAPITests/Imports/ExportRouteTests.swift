import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

@testable import DeskAPI

struct ExportRouteTests {
    private struct Desk {
        let server: TestServer
        let owner: TestServer.Caller
        let key: TestServer.Caller

        init() async throws {
            server = try await TestServer()
            owner = try await server.makeOwner()
            key = try await server.makeKey([server.business])
        }

        func table(
            _ table: String, _ query: String = "", by caller: TestServer.Caller? = nil
        ) async throws -> Answer {
            try await server.get(
                "/api/businesses/\(server.business.id)/exports/\(table)?\(query)",
                by: caller ?? key
            ).whole()
        }

        func rows(_ name: String, _ query: String = "") async throws -> [JSONValue] {
            let answer = try await table(name, query)
            #expect(answer.status == 200)
            return try answer.text.split(separator: "\n").map { line in
                try #require(JSONValue.parsed(Array(line.utf8)))
            }
        }
    }

    private static let story = #"""
        {"type":"label","name":"A|B"}
        {"type":"label","name":"Refund"}
        {"type":"customer","customer":"1","name":"=1+1","externalId":"C-1","notes":"a\nb","openedAt":"2025-03-01T08:59:00Z"}
        {"type":"conversation","customer":"1","state":"open","labels":["A|B","Refund"],"assignee":"ada@example.com"}
        {"type":"message","customer":"1","id":"4e3d8b0a-9f3e-4a53-8f6f-3a4ad1f3a001","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"=HYPERLINK(\"x\"), \"yes\""}
        {"type":"message","customer":"1","id":"4e3d8b0a-9f3e-4a53-8f6f-3a4ad1f3a002","time":"2025-04-01T09:00:00Z","direction":"outbound","authorEmail":"ada@example.com","text":"-1"}
        {"type":"note","customer":"1","id":"n1","time":"2025-04-01T09:00:00Z","author":"@Alice","text":"+2"}
        """#

    private func fill(_ desk: Desk) async throws {
        let answer = try await desk.server.post(
            "/api/businesses/\(desk.server.business.id)/imports?source=shop", Self.story,
            by: desk.key, headers: ["Content-Type": "application/x-ndjson"])
        #expect(answer["findings"]?.count == 0, "\(answer.text)")
    }

    @Test(arguments: ExportTable.allCases)
    func `every row has all columns in their order, each of one type`(
        table: ExportTable
    ) async throws {
        let desk = try await Desk()
        try await fill(desk)
        let conversation = try await desk.server.makeConversation()
        _ = try await desk.server.post(
            "/api/conversations/\(conversation.id)/notes", #"{"text":"x"}"#, by: desk.owner)
        let rows = try await desk.rows(table.rawValue)
        #expect(rows.count == (table == .messages ? 3 : 2))
        var kinds: [String: JSONKind] = [:]
        for row in rows {
            #expect(row.members.map(\.key) == table.columns)
            #expect(row["type"]?.string == table.type)
            for member in row.members where !member.value.isNull {
                #expect(!member.value.isContainer, "\(member.key)")
                let known = kinds.updateValue(member.value.kind, forKey: member.key)
                #expect(known ?? member.value.kind == member.value.kind, "\(member.key)")
            }
        }
    }

    @Test(arguments: [ExportTable.customers, .conversations])
    func `who wrote in a span is in its tables, though the import said not since when`(
        table: ExportTable
    ) async throws {
        let desk = try await Desk()
        let lines = #"""
            {"type":"customer","customer":"1","name":"Ada"}
            {"type":"message","customer":"1","id":"m1","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"Tea?"}
            {"type":"message","customer":"1","id":"m2","time":"2025-04-01T09:00:00Z","direction":"inbound","text":"Tea!"}
            {"type":"customer","customer":"2","name":"Bob"}
            """#
        let answer = try await desk.server.post(
            "/api/businesses/\(desk.server.business.id)/imports?source=shop", lines,
            by: desk.key, headers: ["Content-Type": "application/x-ndjson"])
        #expect(answer["findings"]?.count == 0, "\(answer.text)")
        let march = "since=2025-03-01&until=2025-03-02"
        #expect(try await desk.rows("messages", march).count == 1)
        #expect(try await desk.rows(table.rawValue, march).count == 1)
        #expect(try await desk.rows(table.rawValue, "until=2025-03-01").isEmpty)
    }

    @Test func `a text of more than 32 KiB is exported whole`() async throws {
        let desk = try await Desk()
        let words = String(repeating: "tea ", count: 10_000)
        let line =
            #"{"type":"message","customer":"1","id":"m1","time":"2025-03-01T09:00:00Z","direction":"inbound","text":"\#(words)"}"#
        let answer = try await desk.server.post(
            "/api/businesses/\(desk.server.business.id)/imports?source=shop", line,
            by: desk.key, headers: ["Content-Type": "application/x-ndjson"])
        #expect(answer["findings"]?.count == 0, "\(answer.text)")
        #expect(try await desk.rows("messages").first?["text"]?.string == words)
    }

    @Test func `CSV is quoted, and cells that a spreadsheet would calculate are guarded`()
        async throws
    {
        let desk = try await Desk()
        try await fill(desk)
        let messages = try await desk.table("messages", "format=csv").text
        #expect(messages.hasPrefix("type,customer,conversation,business,id,"))
        #expect(messages.utf8.filter { $0 == 0x0D }.count == 3)
        #expect(messages.contains(#","'=HYPERLINK(""x""), ""yes""","#))
        #expect(messages.contains(",'-1,"))
        let customers = try await desk.table("customers", "format=csv").text
        #expect(customers.contains(",'=1+1,C-1,,\"a\nb\","))
        let notes = try await desk.table("notes", "format=csv").text
        #expect(notes.contains(",'@Alice,,'+2,"))
        // JSON has the texts as they are.
        #expect(try await desk.rows("customers")[0]["name"]?.string == "=1+1")
    }

    @Test(arguments: [
        ("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\t=1", "'\t=1"),
        ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("＝1", "'＝1"), ("＋1", "'＋1"),
        ("－1", "'－1"), ("＠a", "'＠a"), ("１", "１"), ("a=1", "a=1"), (" =1", "\"' =1\""),
        ("  ＝1", "\"'  ＝1\""), (" a", "\" a\""), ("a;=1", "\"a;=1\""),
    ])
    func `a cell that a spreadsheet would calculate has an apostrophe before it`(
        text: String, cell: String
    ) {
        for value in [ExportValue.text(text), .utf8(Array(text.utf8))] {
            var row: [UInt8] = []
            ExportFormat.csv.append([value, .number(-1)], ["a", "b"], to: &row)
            #expect(String(decoding: row, as: UTF8.self) == "\(cell),-1\r\n")
        }
    }

    @Test(arguments: [
        ("", [1, 2]), ("since=2025-04-01", [2]), ("until=2025-04-01T09:00:00Z", [1]),
        ("since=2025-03-01T09:00:00Z&until=2025-04-02", [1, 2]), ("since=2025-04-02", []),
    ])
    func `a span of time narrows messages`(query: String, numbers: [Int]) async throws {
        let desk = try await Desk()
        try await fill(desk)
        #expect(
            try await desk.rows("messages", query).compactMap { $0["sequence"]?.int } == numbers)
        #expect(try await desk.rows("customers", query).count == (numbers.isEmpty ? 0 : 1))
    }

    @Test func `what is exported is imported by another business`() async throws {
        let desk = try await Desk()
        try await fill(desk)
        let key = try await desk.server.makeKey([desk.server.other])
        var lines =
            #"{"type":"label","name":"A|B"}"# + "\n" + #"{"type":"label","name":"Refund"}"# + "\n"
        for table in ["customers", "conversations", "messages", "notes"] {
            lines += try await desk.table(table).text
        }
        let path = "/api/businesses/\(desk.server.other.id)"
        let types: HeaderFields = ["Content-Type": "application/x-ndjson"]
        let first = try await desk.server.post(
            "\(path)/imports?source=frontdesk", lines, by: key, headers: types)
        #expect(
            first["findings"]?.elements.allSatisfy { $0["severity"]?.string == "warning" } == true)
        #expect(first["counts"]?["message"]?["added"]?.int == 2, "\(first.text)")
        func column(_ table: String, _ names: [String], at path: String, _ key: TestServer.Caller)
            async throws -> [[String?]]
        {
            let answer = try await desk.server.get("\(path)/exports/\(table)", by: key).whole()
            return answer.text.split(separator: "\n").map { line in
                let row = JSONValue.parsed(Array(line.utf8))
                return names.map { row?[$0]?.rawText }
            }
        }
        let own = "/api/businesses/\(desk.server.business.id)"
        for (table, names) in [
            ("customers", ["customer", "name", "externalId", "notes", "messages"]),
            ("conversations", ["customer", "state", "priority", "labels"]),
            ("messages", ["customer", "id", "sequence", "time", "direction", "kind", "text"]),
        ] {
            let there = try await column(table, names, at: path, key)
            #expect(try await column(table, names, at: own, desk.key) == there)
            #expect(!there.isEmpty)
        }
        let newest = desk.server.store.newest
        let second = try await desk.server.post(
            "\(path)/imports?source=frontdesk", lines, by: key, headers: types)
        #expect(second["counts"]?["message"]?["known"]?.int == 2)
        #expect(desk.server.store.newest == newest)
    }

    @Test func `an erased message comes in as erased, and an older export does not bring it back`()
        async throws
    {
        let desk = try await Desk()
        try await fill(desk)
        let before = try await desk.table("messages").text
        let last = try #require(try await desk.rows("messages").last)
        let id = try #require(last["id"]?.string)
        let path = "/api/conversations/\(last["conversation"]?.string ?? "")/messages/\(id)"
        #expect(try await desk.server.send(.delete, path, by: desk.owner).status == 200)
        let lines = try await desk.table("messages").text
        let key = try await desk.server.makeKey([desk.server.other])
        func bring(_ lines: String, _ query: String = "") async throws -> Answer {
            try await desk.server.post(
                "/api/businesses/\(desk.server.other.id)/imports?source=frontdesk\(query)", lines,
                by: key, headers: ["Content-Type": "application/x-ndjson"])
        }
        let dry = try await bring(lines, "&dryRun=true")
        let first = try await bring(lines)
        #expect(first["counts"]?["message"]?["added"]?.int == 2, "\(first.text)")
        #expect(first["counts"]?.rawText == dry["counts"]?.rawText)
        let names = ImportNames(business: desk.server.other.id, system: "frontdesk")
        let customer = names.customer(try #require(last["customer"]?.string))
        let conversation = try #require(
            try await desk.server.store.findConversation(of: customer, with: desk.server.other.id))
        #expect(conversation.last?.erasedAt != nil)
        let found = try await desk.server.store.findMessage(
            try #require(MessageID(id)), in: conversation.id)
        let message = try #require(found)
        #expect(message.payload.carriedBytes == StoredMessage.tombstonePayload)
        #expect(message.erasedAt?.text == (conversation.last?.erasedAt)?.text)
        #expect(message.facts.direction == .outbound && message.facts.summary.isEmpty)
        let newest = desk.server.store.newest
        for (query, again) in [("&dryRun=true", lines), ("", lines)] {
            let answer = try await bring(again, query)
            #expect(answer["counts"]?["message"]?["known"]?.int == 2, "\(answer.text)")
        }
        let old = try await bring(before)
        #expect(old["findings"]?[0]?["code"]?.string == "message_erased", "\(old.text)")
        #expect(old["counts"]?["message"]?["refused"]?.int == 1)
        #expect(desk.server.store.newest == newest)
    }

    @Test func `all notes are exported in their order, however many stand behind one message`()
        async throws
    {
        let desk = try await Desk()
        try await fill(desk)
        let lines = (1...350).map { number in
            #"{"type":"note","customer":"1","id":"more\#(number)","time":"2025-05-01T09:00:00Z","text":"\#(number)"}"#
        }
        let answer = try await desk.server.post(
            "/api/businesses/\(desk.server.business.id)/imports?source=shop",
            lines.joined(separator: "\n"), by: desk.key,
            headers: ["Content-Type": "application/x-ndjson"])
        #expect(answer["counts"]?["note"]?["added"]?.int == 350, "\(answer.text)")
        let texts = try await desk.rows("notes").map { $0["text"]?.string }
        #expect(texts == ["+2"] + (1...350).map { String($0) })
    }

    @Test func `agents may not export, and what is not there is refused`() async throws {
        let desk = try await Desk()
        let agent = try await desk.server.makeMember(
            "ben@example.com", .agent, of: desk.server.business, by: desk.owner)
        #expect(try await desk.table("messages", by: agent).code == "forbidden")
        #expect(try await desk.table("secrets").status == 404)
        #expect(try await desk.table("messages", "format=xml").code == "invalid")
        #expect(try await desk.table("messages", "since=today").code == "invalid")
        #expect(
            try await desk.table("messages", "since=2025-02-01&until=2025-01-01").code == "invalid")
        #expect(try await desk.table("messages", "by=agent").code == "bad_request")
        #expect(try await desk.table("customers").text.isEmpty)
        #expect(try await desk.table("customers", "format=csv").text.hasSuffix("metadata\r\n"))
    }
}
