import DeskHTTP
import DeskNet
import HTTPCases
import Testing

/// The table of HTTP cases over real sockets: what the parser says is what a client sees.
struct FramingTableTests {
    private static let second = "GET /next HTTP/1.1\r\nHost: b\r\n\r\n"

    @Sendable private static func echo(_ request: Request) async -> Response {
        do throws(BodyError) {
            let body = try await request.body.collect(upTo: 1_000_000)
            var response = Response(type: "text/plain", body)
            response.headers.set("X-Host", request.host)
            return response
        } catch { return .refusal(error) }
    }

    @Test func `every case is answered or refused as stated, and what follows is read or never`()
        async throws
    {
        try await withServer(loops: 1, handler: Self.echo) { server in
            for row in FramingCase.all {
                let answers = try await blocking {
                    let client = try TestClient(port: server.port)
                    try client.send(row.bytes + Self.second)
                    client.finish()
                    return try client.receiveAll()
                }
                Self.judge(row, answers)
            }
        }
    }

    private static func judge(_ row: FramingCase, _ answers: String) {
        let heads = answers.ranges(of: "HTTP/1.1 ").count
        switch row.expected {
        case .accepted(let body):
            #expect(answers.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(row.testDescription)")
            let isLast = answers.contains("Connection: close\r\n")
            #expect(heads == (isLast ? 1 : 2), "\(row.testDescription): \(answers)")
            #expect(answers.contains("X-Host: b\r\n") == !isLast, "\(row.testDescription)")
            if isLast { #expect(answers.hasSuffix("\r\n\r\n\(body)"), "\(row.testDescription)") }
        case .refused(let status, let code):
            #expect(heads == 1, "\(row.testDescription): \(answers)")
            #expect(answers.hasPrefix("HTTP/1.1 \(status) "), "\(row.testDescription): \(answers)")
            // A body's framing breaks after the handler was asked, which words the refusal.
            let isOfBody = answers.contains(#""code":"bad_body_framing""#)
            #expect(
                answers.contains(#""code":"\#(code)""#) || isOfBody,
                "\(row.testDescription): \(answers)")
            #expect(answers.contains("Connection: close\r\n"), "\(row.testDescription)")
        }
    }
}
