import DeskHTTP
import DeskModel
import Synchronization
import Testing

@testable import DeskAPI

/// What is asked of an identity provider, and for how long it is waited for.
struct SingleSignOnTests {
    private static let issuer = "https://id.example"

    /// A provider that publishes what it is, and answers nothing else in time.
    private final class SilentProvider: OutgoingClient {
        private let state = Mutex<[OutgoingRequest]>([])

        var requests: [OutgoingRequest] { state.withLock { $0 } }

        func send(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            state.withLock { $0.append(request) }
            guard request.method == .get else {
                throw OutgoingError(.timeout, "the deadline passed")
            }
            let document = #"""
                {"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/authorize",\#
                "token_endpoint":"\#(issuer)/token","jwks_uri":"\#(issuer)/keys"}
                """#
            return OutgoingAnswer(status: .ok, body: RequestBody(Array(document.utf8)))
        }

        func open(_ request: OutgoingRequest) async throws(OutgoingError) -> OutgoingAnswer {
            try await send(request)
        }
    }

    @Test func `a request to the provider has a deadline and a limit, and may be tried again`()
        async throws
    {
        let provider = SilentProvider()
        let asked = OpenIDProvider(
            OpenIDSettings(issuer: Self.issuer, client: "desk"), client: provider, time: .system)
        let state = SignOnState(
            page: "/console", invitation: nil, browser: BrowserTokens(session: nil, device: nil),
            at: Timestamp(seconds: 1_800_000_000))
        let fault = await #expect(throws: SignOnFault.self) {
            _ = try await asked.person(
                code: "c", for: state, redirectURI: "https://chat.example/sso/callback")
        }
        #expect(fault?.isPassing == true && fault?.step == "token" && fault?.detail == "timeout")
        #expect(provider.requests.map(\.method) == [.get, .post])
        #expect(provider.requests.allSatisfy { $0.timeout == .seconds(10) })
        #expect(provider.requests.allSatisfy { $0.answerLimit == 256 * 1_024 })
    }
}
