import DeskBroker
import DeskHTTP
import DeskLinks
import DeskModel
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// How long others may keep an attempt of ours, and when the next one is.
@Suite struct AttemptBoundTests {
    /// A minute after the test's time.
    private static let later = HTTPDate.text(
        secondsSince1970: Int(TestGateway.now.milliseconds / 1_000) + 60)

    @Test(arguments: ["60", later])
    func
        `a provider, an upstream and WhatsApp may say in either form when they want to be asked again`(
            _ field: String
        ) async throws
    {
        let answer = OutgoingAnswer(
            status: .serviceUnavailable, headers: ["Retry-After": field])
        let result = ProviderAnswer.result(
            of: .success((answer, [])), from: "https://provider.example/", at: TestGateway.now)
        guard case .failed(503, _, let asked) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(asked == .seconds(60))
        #expect(WhatsAppFault(answer, [], at: TestGateway.now).retryAfter == .seconds(60))
        let gateway = try await TestGateway()
        let client = UpstreamClient(parts: gateway.parts, link: gateway.link, conversation: nil)
        let fault = client.fault(answer, [], OutgoingRequest(.post, "https://upstream.example/"))
        #expect(fault.retryAfter == .seconds(60))
    }

    @Test func `a message to WhatsApp ends with its timeout, however steadily the answer comes`()
        async throws
    {
        let number = try await TestNumber(marksRead: true)
        try await number.say("Hello")
        try await number.gateway.delivering {
            let sent = try await number.send(#""type":"text","body":"Welcome""#, id: uuid(1))
            _ = try await number.settled(sent)
        }
        let requests = number.gateway.client.requests
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0.longest == $0.timeout })
    }

    @Test func `an upload may take a minute, and a second for each 64 KiB`() {
        #expect(Duration.ofUpload(0) == .seconds(60))
        #expect(Duration.ofUpload(100 * 1_024 * 1_024) == .seconds(60 + 1_600))
    }
}
