import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
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
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        let answer = try await house.post("/api/validate" + query, Self.list, by: key)
        #expect(answer.status == status)
        #expect(rules(answer) == expected)
    }

    @Test(arguments: [
        "direction=up", "profile=Strict", "world=real", "now=today", "capabilities=VIDEO",
    ])
    func `a word that there is not is refused`(query: String) async throws {
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        let answer = try await house.post(
            "/api/validate?\(query)", #"{"type":"text","body":"a"}"#, by: key)
        #expect(answer.status == 422)
        #expect(answer.code == "invalid")
        #expect(answer["errors"] == nil)
    }

    @Test func `the ends are compared when a business is named, and only then`() async throws {
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        let text = """
            {"type":"text","body":"a","sourceId":"8b8f3d8e-0d6f-4c1c-9d58-6f4f6b1d1111"}
            """
        #expect(try await house.post("/api/validate", text, by: key).status == 200)
        let named = try await house.post(
            "/api/validate?business=\(house.business.id)", text, by: key)
        #expect(rules(named) == ["envelope-disagrees"])
        let foreign = try await house.post(
            "/api/validate?business=\(house.other.id)", text, by: key)
        #expect(foreign.status == 404)
    }

    @Test func `the doctor answers with what happened and the text without it`() async throws {
        let house = try await TestHouse()
        let key = try await house.makeKey([house.business])
        let text = #"08:00 sent {\"type\":\"text\",\"body\":\"a\"}"#
        let answer = try await house.post(
            "/api/doctor", text, by: key, headers: ["Content-Type": "text/plain"])
        #expect(answer.status == 200)
        #expect(answer["isHealthy"]?.bool == false)
        #expect(answer["repaired"]?.string == #"{"type":"text","body":"a"}"#)
        let ids = answer["ailments"]?.elements.compactMap { $0["id"]?.string }
        #expect(ids == ["log-line", "escaped-json"])
        let healthy = try await house.post("/api/doctor", #"{"type":"text"}"#, by: key)
        #expect(healthy["isHealthy"]?.bool == true && healthy["ailments"]?.count == 0)
    }

    @Test func `the doctor looks at no more than a send takes`() async throws {
        let house = try await TestHouse { $0.payloadBytes = 20 }
        let key = try await house.makeKey([house.business])
        let answer = try await house.post(
            "/api/doctor", String(repeating: "x", count: 21), by: key)
        #expect(answer.code == "too_large")
    }
}
