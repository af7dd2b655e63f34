package import DeskAPI
package import DeskMessages
package import DeskModel
import DeskWeb

/// A customer's device whose calls to the server's own test merchant are answered here; everything
/// else is done outside.
package struct SandboxDevice: DeviceWorks {
    private let outside: (any DeviceWorks)?

    /// `outside` does what is not the test merchant's; nil where nothing is outside.
    package init(outside: (any DeviceWorks)?) { self.outside = outside }

    /// Answers as the test merchant, or calls the merchant outside.
    package func call(
        _ call: PaymentCall, for request: StoredMessage, of business: Business,
        in conversation: ConversationID
    ) async -> PaymentCallResult {
        let payload = request.payload.carriedBytes ?? []
        if let address = call.address(in: payload),
            TestMerchant.isOwn(address, of: business.id)
        {
            return TestMerchant.answer(to: call, of: payload)
        }
        return await outside?.call(call, for: request, of: business, in: conversation) ?? .notAsked
    }

    /// What keeps a sign-in request from being carried out; empty when nothing does.
    package func problems(of request: SignInRequest, in mode: Mode) -> [SignInProblem] {
        outside?.problems(of: request, in: mode) ?? []
    }

    /// Signs in outside as the customer said; as the customer said, where nothing is outside.
    package func signIn(
        _ signIn: SignIn, to request: SignInRequest, of business: Business
    ) -> SignedIn {
        outside?.signIn(signIn, to: request, of: business) ?? SignedIn(signIn)
    }
}
