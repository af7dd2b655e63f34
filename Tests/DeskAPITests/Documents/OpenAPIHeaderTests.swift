import APITestSupport
import DeskJSON
import DeskModel
import DeskWeb
import Testing

@testable import DeskAPI

/// The response headers of docs/openapi.json against the routes.
///
/// That no answer has another one is checked by each test that sends a request.
struct OpenAPIHeaderTests {
    /// Routes that know a message again by its own id, and those that heed `Prefer`.
    private static let knowsMessages: Set<String> = ["sendPhoneMessage", "sendPhoneChoice"]
    private static let heedsPreference: Set<String> = [
        "sendMessage", "sendBatch", "sendTemplate", "sendWhatsAppTemplate",
    ]

    @Test func `every answer describes the headers that its route sends`() async throws {
        let server = try await TestServer()
        let check = OpenAPICheck.shared
        for row in server.api.table.rows {
            let found = check.operations.first { $0.name == row.operation }
            let described = try #require(found)
            let item = ["paths", described.path, described.method.lowercased(), "responses"]
            let answers = check.members(at: JSONPointer(item).description)
            #expect(!answers.isEmpty, "\(row.operation)")
            for answer in answers where answer.value["$ref"] == nil {
                let isSuccess = answer.key.hasPrefix("2")
                var wanted: Set<String> = ["X-Request-Id", "traceresponse"]
                if isCounted(row) { wanted.formUnion(["RateLimit", "RateLimit-Policy"]) }
                if !row.query.older.isEmpty { wanted.formUnion(["Deprecation", "Link"]) }
                if isSuccess, isKnownAgain(row) { wanted.insert("Idempotency-Replayed") }
                if isSuccess, Self.heedsPreference.contains(row.operation) {
                    wanted.insert("Preference-Applied")
                }
                let names = answer.value["headers"]?.members.map { $0.key } ?? []
                let known = Set(names).intersection(OpenAPICheck.headers)
                #expect(known == wanted, "\(row.operation) \(answer.key)")
            }
        }
        let refusal = check.members(at: "/components/responses/Problem/headers").map(\.key)
        #expect(Set(refusal) == Set(OpenAPICheck.headers).subtracting(["Preference-Applied"]))
    }

    @Test func `every described header has its words, its schema and its example in one place`() {
        let headers = OpenAPICheck.shared.members(at: "/components/headers")
        #expect(Set(headers.map(\.key)).isSuperset(of: OpenAPICheck.headers))
        for header in headers {
            #expect(header.value["description"] != nil, "\(header.key)")
            #expect(header.value["schema"] != nil, "\(header.key)")
            #expect(header.value["example"] != nil, "\(header.key)")
        }
    }

    private func isCounted(_ row: RouteTable.Row) -> Bool {
        switch row.rate {
        case .write, .settings, .validation, .search: true
        case .own, .free: OpenAPICheck.shared.credentials(of: row.operation) != ["none"]
        }
    }

    private func isKnownAgain(_ row: RouteTable.Row) -> Bool {
        switch row.repeating {
        case .remembered, .own: true
        case .harmless, .refused: Self.knowsMessages.contains(row.operation)
        }
    }
}
