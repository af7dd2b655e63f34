/// What a channel says of a message after it accepted it.
public enum DeliveryReceipt: String, Sendable, CaseIterable {
    /// It was accepted; kept at once, so that what ends before the attempt's result is stored sends it no second
    /// time.
    case accepted
    /// It is on its way.
    case sent
    /// It is on the customer's device.
    case delivered
    /// The customer saw it.
    case read
    /// It does not reach the customer.
    case failed

    /// How far the message came: a receipt that is no further than the last one is no news.
    public var rank: Int {
        switch self {
        case .accepted: 1
        case .sent: 2
        case .failed, .delivered: 3
        case .read: 4
        }
    }

    /// The receipt that a delivery's detail is; nil for any other detail.
    public init?(detail: String?) {
        guard let detail, let receipt = Self(rawValue: detail), receipt != .failed else {
            return nil
        }
        self = receipt
    }
}

/// What became of a receipt.
public enum ReceiptResult: Hashable, Sendable {
    /// It is kept.
    case kept
    /// It is older than what is known, or there is no such delivery any more.
    case known
    /// The attempt that it speaks of is not stored yet: it has to come again.
    case early
}
