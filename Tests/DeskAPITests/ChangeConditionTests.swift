import APITestSupport
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import Testing

/// A change of one conversation that names what must still be so.
struct ChangeConditionTests {
    private static func makeLabel(
        _ name: String, in server: TestServer, by owner: TestServer.Caller
    ) async throws -> String {
        let made = try await server.post(
            "/api/businesses/\(server.business.id)/labels",
            ##"{"name":"\##(name)","colour":"#CC0000"}"##, by: owner)
        return try #require(made["id"]?.string)
    }

    /// What is demanded, whether it is so, and the code of the refusal.
    private static let demands = [
        (#""ifState":"open""#, nil), (#""ifState":"closed""#, "precondition_failed"),
        (#""ifPriority":"high""#, nil), (#""ifPriority":"none""#, "precondition_failed"),
        (#""ifLabels":{"has":["LABEL"],"lacks":["OTHER"]}"#, nil),
        (#""ifLabels":{"has":["OTHER"]}"#, "precondition_failed"),
        (#""ifLabels":{"lacks":["LABEL"]}"#, "precondition_failed"),
        (#""ifMetadata":{"order":"A-17","shop":null}"#, nil),
        (#""ifMetadata":{"order":null}"#, "precondition_failed"),
        (#""ifAssignee":null,"ifTeam":null,"ifState":"open""#, nil),
        (
            #""ifAssignee":"6f2d1c5e-0000-4000-8000-000000000001","ifState":"open""#,
            "already_assigned"
        ),
        (#""ifTeam":"6f2d1c5e-0000-4000-8000-000000000001""#, "already_assigned"),
    ]

    @Test(arguments: demands)
    func
        `a change is made while all that it demands is so, else the conversation is left and shown`(
            demand: String, code: String?
        ) async throws
    {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let label = try await Self.makeLabel("Tea", in: server, by: owner)
        let other = try await Self.makeLabel("Milk", in: server, by: owner)
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)"
        let before = try await server.send(
            .patch, path,
            #"{"priority":"high","labels":{"add":["\#(label)"]},"metadata":{"order":"A-17"}}"#,
            by: owner)
        #expect(before.status == 200, "\(before.text)")
        let body = Self.replacing(demand, ["LABEL": label, "OTHER": other])
        let answer = try await server.send(
            .patch, path, #"{"state":"closed",\#(body)}"#, by: owner)
        if let code {
            #expect(answer.code == code, "\(answer.text)")
            #expect(answer.status == (code == "already_assigned" ? 409 : 412))
            #expect(answer["current"]?["id"]?.string == one.id.text)
            #expect(
                try await server.get(path, by: owner)["revision"]?.int
                    == before["revision"]?.int)
        } else {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["state"]?.string == "closed")
        }
    }

    private static func replacing(_ text: String, _ words: [String: String]) -> String {
        text.split(separator: "\"", omittingEmptySubsequences: false)
            .map { words[String($0)] ?? String($0) }.joined(separator: "\"")
    }

    @Test func `of several changes at once that demand the same state one is made`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)"
        let priorities = ["low", "normal", "high", "urgent"]
        let codes = try await withThrowingTaskGroup(of: String?.self) { group in
            for priority in priorities {
                group.addTask {
                    let body = #"{"priority":"\#(priority)","ifPriority":"none"}"#
                    let answer = try await server.send(.patch, path, body, by: owner)
                    return answer.status == 200 ? nil : answer.code
                }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1, "\(codes)")
        #expect(codes.compactMap(\.self) == Array(repeating: "precondition_failed", count: 3))
    }

    @Test func `a change beside what is not demanded is no hindrance`() async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let path = "/api/conversations/\(one.id)"
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let body =
                        number.isMultiple(of: 2)
                        ? #"{"metadata":{"n\#(number)":"x"}}"#
                        : #"{"metadata":{"n\#(number)":"x"},"ifState":"open"}"#
                    return try await server.send(.patch, path, body, by: owner).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 6))
        let tag = try await server.get(path, by: owner)["revision"]?.int ?? 0
        let stale = try await server.send(
            .patch, path, #"{"state":"closed","ifState":"open"}"#, by: owner,
            headers: ["If-Match": "\"\(tag - 1)\""])
        #expect(stale.code == "precondition_failed", "\(stale.text)")
    }

    @Test(arguments: [
        (#"{"ifState":"ajar"}"#, "/ifState"), (#"{"ifPriority":7}"#, "/ifPriority"),
        (#"{"ifLabels":{"has":["x"]}}"#, "/ifLabels/has"),
        (#"{"ifMetadata":{"a":7}}"#, "/ifMetadata/a"), (#"{"ifTeam":7}"#, "/ifTeam"),
    ])
    func `a demand that cannot be is refused where it is written`(
        body: String, pointer: String
    ) async throws {
        let server = try await TestServer()
        let owner = try await server.makeOwner()
        let one = try await server.makeConversation()
        let answer = try await server.send(
            .patch, "/api/conversations/\(one.id)", body, by: owner)
        #expect(answer.status == 422)
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer, "\(answer.text)")
    }
}
