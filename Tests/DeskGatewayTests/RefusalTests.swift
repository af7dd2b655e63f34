import DeskGateway
import DeskHTTP
import Testing

@Suite("A gateway's refusal")
struct RefusalTests {
    @Test("is plain text of code, reason and detail, as the real gateway's")
    func isPlainText() {
        let response = GatewayRefusal(
            .badRequest, "Third party interactive data disallows use of 'data'"
        ).response
        #expect(response.status == .badRequest)
        #expect(response.headers["content-type"] == "text/plain; charset=utf-8")
        guard case .bytes(let bytes) = response.body else {
            Issue.record("the body has no bytes")
            return
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "400 Bad Request : Third party interactive data disallows use of 'data'")
    }
}
