public import DeskJSON

/// Why a merchant's answer could not be used.
public struct PaymentCallFault: Hashable, Sendable {
    /// The sorts of failure that the phone page distinguishes.
    public enum Code: String, Sendable, CaseIterable {
        /// No answer came from the address, or it may not be called.
        case unreachable
        /// The answer did not come in time.
        case timeout
        /// The status was none of 2xx.
        case status
        /// The answer breaks the rules of its kind.
        case invalid
        /// Merchants outside are asked for test businesses only.
        case notATest = "not_a_test"
    }

    /// What sort of failure it was.
    public let code: Code
    /// What was found, in a sentence for the merchant's developer.
    public let sentence: String

    /// Puts the two together.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// What came of a call to a merchant.
public enum PaymentCallResult: Sendable {
    /// The request names no address for it: nothing changes.
    case notAsked
    /// The answer's JSON, judged and found right.
    case answered(JSONDocument)
    /// No answer that could be used.
    case failed(PaymentCallFault)

    /// The `status` of an answer to a payment; nil when there is none.
    public var status: String? {
        switch self {
        case .answered(let document): document.root["status"]?.string
        case .notAsked, .failed: nil
        }
    }
}
