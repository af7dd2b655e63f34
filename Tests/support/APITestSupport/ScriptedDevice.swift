import DeskAPI
import DeskJSON
package import DeskMessages
package import DeskModel
import DeskStore
import DeskWeb
import Synchronization

/// A merchant and an OAuth provider that answer as a test says.
package final class ScriptedDevice: DeviceWorks {
    private let state: Mutex<(result: PaymentCallResult, calls: [PaymentCall])>

    package init(_ result: PaymentCallResult = .notAsked) { state = Mutex((result, [])) }

    package var calls: [PaymentCall] { state.withLock(\.calls) }

    /// Answers with this text from now on.
    package func answer(_ text: String) throws {
        let document = try JSONDocument(parsing: text)
        state.withLock { $0.result = .answered(document) }
    }

    package func fail(_ code: PaymentCallFault.Code) {
        state.withLock { $0.result = .failed(PaymentCallFault(code, "a sentence")) }
    }

    package func call(
        _ call: PaymentCall, for request: StoredMessage, of business: Business,
        in conversation: ConversationID
    ) async -> PaymentCallResult {
        state.withLock { state in
            state.calls.append(call)
            return state.result
        }
    }

    package func problems(of request: SignInRequest, in mode: Mode) -> [SignInProblem] {
        [.keyNotAPoint]
    }

    package func signIn(
        _ signIn: SignIn, to request: SignInRequest, of business: Business
    ) -> SignedIn {
        var signIn = signIn
        signIn.sealedToken = signIn.outcome == .granted ? "QUJD" : nil
        return SignedIn(signIn, redirect: "https://shop.example/in?code=1")
    }
}
