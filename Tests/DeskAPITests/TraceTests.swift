import APITestSupport
import DeskHTTP
import DeskLog
import DeskModel
import DeskStore
import DeskWeb
import Testing

@testable import DeskAPI

struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(arguments: [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
        ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
        ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
        ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
        ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0", false),
        ("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ("0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-001", false),
        ("", false), ("00", false), ("é0-4bf92f3577b34da6a3ce929d0e0e4736", false),
    ])
    func `traceparent is read as its specification says`(text: String, isValid: Bool) {
        #expect((TraceParent(text) != nil) == isValid, "\(text)")
    }

    @Test func `two fields are as none`() {
        let field = "00-\(Self.trace)-00f067aa0ba902b7-01"
        var headers: HeaderFields = [:]
        headers.append("traceparent", field)
        #expect(TraceParent(headers)?.trace == Self.trace)
        headers.append("traceparent", field)
        #expect(TraceParent(headers) == nil)
    }

    @Test func `every request has a number of its own, and none is zero`() {
        let numbers = RequestNumbers(from: 0 &- 0x9E37_79B9_7F4A_7C15)
        let taken = (0..<10_000).map { _ in numbers.take() }
        #expect(Set(taken).count == taken.count)
        #expect(!taken.contains(0))
    }

    @Test func `answer and log name the request and its trace`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let answer = try await server.post(
            "/api/businesses", #"{"name":"Another"}"#, by: owner,
            headers: ["traceparent": "00-\(Self.trace)-00f067aa0ba902b7-01"])
        #expect(answer.status == 201)
        let id = try #require(answer.headers["x-request-id"])
        #expect(id.utf8.count == 16)
        #expect(answer.headers["traceresponse"] == "00-\(Self.trace)-\(id)-01")
        let line = try #require(
            server.log.lines.first { $0.contains("event=business_registered") })
        #expect(line.contains(" request=\(id) trace=\(Self.trace) "))
        let agent = try await server.agentID(of: owner)
        #expect(
            server.log.lines.contains {
                $0.contains("event=request request=\(id)")
                    && $0.contains(" status=201 code=\"\" by=agent:\(agent) ms=")
            })
        for target in ["/api/nothing", "/api/keys"] {
            let refused = try await server.get(
                target, headers: ["traceparent": "00-\(Self.trace)-0000000000000000-01"])
            #expect(refused.headers["x-request-id"] != nil)
            #expect(refused.headers["traceresponse"] == nil)
        }
    }

    @Test func `refusals are counted by reason`() async throws {
        let server = try await TestServer()
        _ = try await server.get("/api/keys")
        _ = try await server.get("/api/nothing")
        let text = server.services.metrics.text()
        #expect(text.contains(#"frontdesk_refused_total{reason="unauthenticated"} 1"#))
        #expect(text.contains(#"frontdesk_refused_total{reason="not_found"} 1"#))
        #expect(text.contains(#"frontdesk_refused_total{reason="storage_full"} 0"#))
    }

    @Test func `a failed answer leaves one line that names the request`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        await server.store.close()
        let answer = try await server.get("/api/conversations", by: key)
        #expect(answer.status == 503)
        let id = try #require(answer.headers["x-request-id"])
        let lines = server.log.lines.filter { $0.contains("request=\(id)") }
        #expect(lines.count == 1)
        #expect(
            lines.first?.contains(
                "level=warning event=request_failed request=\(id) operation=listConversations "
                    + "status=503 code=unavailable") == true)
    }
}
