import APITestSupport
import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

struct ValidateTests {
    private static let list = """
        {"type":"interactive","interactiveData":{"bid":"com.apple.messages.\
        MSMessageExtensionBalloonPlugin:0000000000:com.apple.icloud.apps.messages.business.extension",\
        "data":{"version":"1.0","requestIdentifier":"r","event":{"identifier":"e","title":"",\
        "timeslots":[{"identifier":"1","startTime":"2026-12-01T10:00+0000","duration":60}]}},\
        "receivedMessage":{"title":"When"}}}
        """

    private func rules(_ answer: Answer) -> [String] {
        let findings = answer["errors"] ?? answer["findings"]
        return findings.map { $0.elements.compactMap { $0["rule"]?.string } } ?? []
    }

    @Test(arguments: [
        ("", 200, ["slot-past"]), ("?now=2026-06-01T00:00:00Z", 200, []),
        ("?now=2026-06-01T00:00:00Z&capabilities=LIST", 422, ["capability-missing"]),
        ("?now=2026-06-01T00:00:00Z&capabilities=list,time", 200, []),
        ("?now=2026-06-01T00:00:00Z&capabilities=", 422, ["capability-missing"]),
    ])
    func `the moment and the device may be said`(
        query: String, status: Int, expected: [String]
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post("/api/validate" + query, Self.list, by: key)
        #expect(answer.status == status)
        #expect(rules(answer) == expected)
    }

    @Test(arguments: [
        "direction=up", "profile=Strict", "mode=real", "now=today", "capabilities=VIDEO",
        "kind=callback", "kind=outbound/text", "kind=", "references=some",
    ])
    func `a word that there is not is refused`(query: String) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/validate?\(query)", #"{"type":"text","body":"a"}"#, by: key)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid")
        #expect(answer["errors"]?.count == 1)
        let name = String(query.prefix { $0 != "=" })
        #expect(answer["errors"]?[0]?["parameter"]?.string == name)
    }

    @Test(arguments: [
        ("template", #"{"name":"a","payload":{}}"#, 200, []),
        (
            "template", #"{"name":"A","payload":{},"$schema":"x"}"#, 422,
            ["wrong-form", "schema-named"]
        ),
        ("gateway/download-link", #"{"download-url":"https://a.example"}"#, 200, []),
        ("callback/payment-gateway-answer", #"{"status":"ok"}"#, 422, ["wrong-value"]),
        ("2017/outbound/text", #"{"type":"text","body":"a"}"#, 200, []),
        ("message", #"{"type":"text","body":"a"}"#, 200, []),
        ("template", "{", 400, []),
    ])
    func `what is no message is judged by the schema that is named`(
        kind: String, body: String, status: Int, expected: [String]
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let answer = try await server.post("/api/validate?kind=\(kind)", body, by: key)
        #expect(answer.status == status)
        #expect(rules(answer) == expected)
        if status == 200, kind != "message" { #expect(answer["kind"]?.string == kind) }
    }

    @Test(arguments: [
        ("", 200, ["reference-expected"]), ("&references=taken", 200, ["reference-expected"]),
        ("&references=refused", 422, ["reference-boundary"]),
        ("&references=refused&profile=lenient", 200, ["reference-boundary"]),
    ])
    func `a large message is announced, or refused where no reference is accepted`(
        query: String, status: Int, expected: [String]
    ) async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let large = Self.list.replacing(
            #"{"bid""#, with: "{\(String(repeating: " ", count: 10_240))\"bid\"")
        let answer = try await server.post(
            "/api/validate?now=2026-06-01T00:00:00Z\(query)", large, by: key)
        #expect(answer.status == status)
        #expect(rules(answer) == expected)
    }

    @Test func `a large text is examined beside the event loop, and too many are put off`()
        async throws
    {
        let queue = DoctorQueue()
        let text = Array(#"{"a":"\#(String(repeating: "b", count: 200_000))",}"#.utf8)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do throws(Problem) {
                        let report = try await queue.diagnose(text)
                        return String(decoding: report, as: UTF8.self).contains("trailing-comma")
                    } catch { return error.code == .unavailable }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 100))
        _ = try await queue.diagnose(text)
    }

    @Test func `the ends are compared when a business is named, and only then`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let text = """
            {"type":"text","body":"a","sourceId":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}
            """
        #expect(try await server.post("/api/validate", text, by: key).status == 200)
        let named = try await server.post(
            "/api/validate?business=\(server.business.id)", text, by: key)
        #expect(rules(named) == ["envelope-disagrees"])
        let foreign = try await server.post(
            "/api/validate?business=\(server.other.id)", text, by: key)
        #expect(foreign.status == 404)
    }

    @Test func `the doctor answers with what happened and the text without it`() async throws {
        let server = try await TestServer()
        let key = try await server.makeKey([server.business])
        let text = #"08:00 sent {\"type\":\"text\",\"body\":\"a\"}"#
        let answer = try await server.post(
            "/api/doctor", text, by: key, headers: ["Content-Type": "text/plain"])
        #expect(answer.status == 200)
        #expect(answer["isHealthy"]?.bool == false)
        #expect(answer["repaired"]?.string == #"{"type":"text","body":"a"}"#)
        let ids = answer["defects"]?.elements.compactMap { $0["id"]?.string }
        #expect(ids == ["log-line", "escaped-json"])
        let healthy = try await server.post("/api/doctor", #"{"type":"text"}"#, by: key)
        #expect(healthy["isHealthy"]?.bool == true && healthy["defects"]?.count == 0)
    }

    @Test func `the doctor looks at no more than a send accepts`() async throws {
        let server = try await TestServer { $0.payloadBytes = 20 }
        let key = try await server.makeKey([server.business])
        let answer = try await server.post(
            "/api/doctor", String(repeating: "x", count: 21), by: key)
        #expect(answer.code == "too_large")
    }
}
