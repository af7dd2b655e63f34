public import DeskMessages
public import DeskModel
import DeskWeb

/// What a customer's device does by itself towards the outside while a sheet is open.
///
/// DeskGateway's `CustomerDevice` does it; tests bring their own.
public protocol DeviceWorks: Sendable {
    /// Calls a merchant's endpoint and judges the answer; within seconds.
    func call(
        _ call: PaymentCall, for request: StoredMessage, of business: Business,
        in conversation: ConversationID
    ) async -> PaymentCallResult

    /// What keeps a sign-in request from being carried out; empty when nothing does.
    func problems(of request: SignInRequest, in mode: Mode) -> [SignInProblem]

    /// Signs in as the customer said, or does not.
    func signIn(
        _ signIn: SignIn, to request: SignInRequest, of business: Business
    ) -> SignedIn
}
