import APITestSupport
import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import FoundationEssentials
import Synchronization
import Testing

@testable import DeskAPI

struct TranscriptTests {
    @Test(arguments: [
        ("<script>alert('1')</script>", "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
        ("\" onload=\"x", "&quot; onload=&quot;x"), ("a & b", "a &amp; b"),
        ("one\ntwo", "one\ntwo"), ("a\u{0}b", "a\u{FFFD}b"), ("gpj\u{202E}.exe", "gpj.exe"),
    ])
    func `a page writes every text so that nothing of it is markup`(
        text: String, escaped: String
    ) {
        #expect(TranscriptPage.escaped(text) == escaped)
    }

    @Test(arguments: [
        ("one\ntwo", ["one", "two"]), ("one\r\ntwo\rthree", ["one", "two", "three"]),
        ("a\u{2028}b\u{85}c", ["a", "b", "c"]), ("a\u{1B}[2Jb", ["a\u{FFFD}[2Jb"]),
        ("a\tb\u{202E}c", ["a b\u{FFFD}c"]), ("", [""]),
    ])
    func `plain text has the lines of a text and no control character`(
        text: String, lines: [String]
    ) {
        #expect(TranscriptText.clean(text) == lines)
    }

    private final class Sink: ResponseSink {
        private let state = Mutex<[UInt8]>([])
        var bytes: [UInt8] { state.withLock { $0 } }
        var isDraining: Bool { false }
        func write(_ bytes: [UInt8]) async throws(StreamError) { state.withLock { $0 += bytes } }
        func cut() async { Issue.record("the body was cut") }
    }

    /// An answer whose body was streamed, with all of it.
    private static func whole(_ answer: Answer) async throws -> Answer {
        guard case .stream(let write) = answer.response.body else { return answer }
        let sink = Sink()
        await write(ResponseStream(sink))
        var response = answer.response
        response.body = .bytes(sink.bytes)
        return Answer(response: response)
    }

    @Test
    func `a transcript has every message once in each form, and no message looks like another`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        let forged = "hello\\n2026-01-01 00:00:00 UTC  Ada:\\n    I owe you 1000"
        for number in 1...101 {
            let text = number == 7 ? forged : "message \(number) <b>"
            let sent = try await server.post(
                path + "/messages", #"{"type":"text","body":"\#(text)"}"#, by: owner)
            #expect(sent.status == 201)
            server.time.advance(by: .seconds(1))
        }
        let noted = try await server.post(path + "/notes", #"{"text":"for colleagues"}"#, by: owner)
        #expect(noted.status == 201)
        let html = try await Self.whole(server.get(path + "/transcript", by: owner))
        #expect(html.status == 200)
        #expect(html.headers["content-type"] == "text/html; charset=utf-8")
        #expect(html.headers["content-security-policy"]?.contains("sandbox") == true)
        let page = html.text
        for number in 1...101 where number != 7 {
            #expect(page.components(separatedBy: ">message \(number) &lt;b&gt;<").count == 2)
        }
        #expect(!page.contains("<b>") && !page.contains("for colleagues"))
        let text = try await Self.whole(
            server.get(path + "/transcript?format=text", by: owner)
        ).text
        let heads = text.split(separator: "\n").filter { $0.hasPrefix("20") }
        // With the message that opened the conversation.
        #expect(heads.count == 102)
        #expect(text.contains("\n    2026-01-01 00:00:00 UTC  Ada:\n"))
        let json = try await Self.whole(
            server.get(path + "/transcript?format=json&notes=true", by: owner))
        let entries = try #require(json["conversations"]?[0]?["entries"])
        #expect(entries.count == 103)
        #expect(entries[0]?["message"]?["sequence"]?.int == 1)
        #expect(entries[102]?["note"]?["text"]?.string == "for colleagues")
        let japanese = try await Self.whole(
            server.get(path + "/transcript?language=ja&notes=true", by: owner))
        #expect(japanese.text.contains("会話の記録"))
        #expect(japanese.text.contains("for colleagues"))
    }

    @Test func `a transcript has all notes, however many stand behind one message`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let lines = (1...310).map { number in
            #"{"type":"note","customer":"\#(conversation.customer.id)","id":"n\#(number)","time":"2025-05-01T09:00:00Z","text":"note \#(number)."}"#
        }
        let brought = try await server.post(
            "/api/businesses/\(conversation.business)/imports", lines.joined(separator: "\n"),
            by: owner, headers: ["Content-Type": "application/x-ndjson"])
        #expect(brought["counts"]?["note"]?["added"]?.int == 310, "\(brought.text)")
        let path = "/api/conversations/\(conversation.id)/transcript?format=text&notes=true"
        let text = try await Self.whole(server.get(path, by: owner)).text
        for number in 1...310 { #expect(text.contains("note \(number).")) }
        let transcript = Transcript(
            of: [conversation], in: .en, madeAt: server.time.now,
            names: server.services.authorNames)
        var counts: [Int] = []
        try await transcript.write(as: .text, withNotes: true, from: server.store) { piece in
            let words = String(decoding: piece, as: UTF8.self)
            counts.append(words.components(separatedBy: "note ").count - 1)
        }
        // What is written at once is what was held.
        #expect(counts.reduce(0, +) == 310)
        #expect(counts.allSatisfy { $0 < 2 * Transcript.pageSize }, "\(counts)")
    }

    @Test func `notes stand behind the message that they were written after, on every page`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let conversation = try await server.makeConversation()
        let path = "/api/conversations/\(conversation.id)"
        for number in 1...Transcript.pageSize + 5 {
            let sent = try await server.post(
                path + "/messages", #"{"type":"text","body":"message \#(number)."}"#, by: owner)
            #expect(sent.status == 201)
            server.time.advance(by: .seconds(1))
            guard number % 7 == 0 || (95...103).contains(number) else { continue }
            let noted = try await server.post(
                path + "/notes", #"{"text":"note \#(number)."}"#, by: owner)
            #expect(noted.status == 201)
        }
        let json = try await Self.whole(
            server.get(path + "/transcript?format=json&notes=true", by: owner))
        let entries = try #require(json["conversations"]?[0]?["entries"]).elements
        var last = 0
        var notes = 0
        for entry in entries {
            if let sequence = entry["message"]?["sequence"]?.int {
                #expect(sequence > last)
                last = sequence
            } else {
                notes += 1
                // The message that opened the conversation is the first.
                #expect(entry["note"]?["text"]?.string == "note \(last - 1).")
            }
        }
        #expect(notes == (1...105).count { $0 % 7 == 0 || (95...103).contains($0) })
    }

    @Test func `selected conversations come in the order asked for, and only the caller's own`()
        async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let agent = try await server.makeMember(
            "ben@example.com", .agent, of: server.business, by: owner)
        let one = try await server.makeConversation()
        let two = try await server.makeConversation()
        let foreign = try await server.makeConversation(server.other)
        let path = "/api/transcripts?format=json&conversation="
        let both = try await Self.whole(server.get(path + "\(two.id),\(one.id)", by: agent))
        #expect(both.status == 200)
        #expect(
            both["conversations"]?[0]?["conversation"]?["id"]?.string == two.id.text)
        #expect(
            both["conversations"]?[1]?["conversation"]?["id"]?.string == one.id.text)
        #expect(try await server.get(path + "\(one.id),\(foreign.id)", by: agent).status == 404)
        let many = (0...100).map { _ in server.services.broker.makeID().text }.joined(
            separator: ",")
        for ids in ["", "x", "\(one.id),", "\(one.id),\(one.id)", many] {
            let status = try await server.get(path + ids, by: agent).status
            #expect(status == 422, "\(ids.prefix(80))")
        }
        #expect(try await server.get("/api/transcripts", by: agent).status == 422)
        let odd = "/api/conversations/\(one.id)/transcript?format=pdf"
        #expect(try await server.get(odd, by: agent).status == 422)
    }
}
