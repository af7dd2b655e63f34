public import DeskJSON
import DeskModel

/// How a customer picks from a card: what it offers, and the answer that is made of the picks.
public struct Picking: Sendable {
    /// Something that can be picked.
    public struct Offer: Sendable {
        /// Names it in the protocol.
        public let identifier: String
        /// What the customer reads.
        public let title: String
    }

    /// Whether several items may be picked at once.
    public let takesSeveral: Bool
    private let offered: @Sendable (_ data: JSONValue?) -> [Offer]
    /// The identifiers that a scripted customer picks; none for silence.
    let sample: @Sendable (_ data: JSONValue?) -> [String]
    /// The items that an answer's feature says were picked, in its order.
    let picked: @Sendable (_ feature: JSONValue) -> [JSONValue]
    private let answer:
        @Sendable (Request, _ identifiers: [String], _ now: Timestamp?) throws(ReplyError) -> Reply

    /// Declares a card of which one item is picked.
    init(
        offers: @escaping @Sendable (_ data: JSONValue?) -> [Offer],
        sample: @escaping @Sendable (_ data: JSONValue?) -> String?,
        picked: @escaping @Sendable (_ feature: JSONValue) -> JSONValue?,
        answer:
            @escaping @Sendable (Request, _ identifier: String, _ now: Timestamp?)
            throws(ReplyError) -> Reply
    ) {
        takesSeveral = false
        offered = offers
        self.sample = { sample($0).map { [$0] } ?? [] }
        self.picked = { picked($0).map { [$0] } ?? [] }
        self.answer = { request, identifiers, now throws(ReplyError) in
            guard let identifier = identifiers.first, identifiers.count == 1 else {
                throw ReplyError(.badChoice, "one item is picked")
            }
            return try answer(request, identifier, now)
        }
    }

    /// Declares a card of which several items may be picked.
    init(
        severalOf offers: @escaping @Sendable (_ data: JSONValue?) -> [Offer],
        sample: @escaping @Sendable (_ data: JSONValue?) -> [String],
        picked: @escaping @Sendable (_ feature: JSONValue) -> [JSONValue],
        answer:
            @escaping @Sendable (Request, _ identifiers: [String])
            throws(ReplyError) -> Reply
    ) {
        takesSeveral = true
        offered = offers
        self.sample = sample
        self.picked = picked
        self.answer = { request, identifiers, _ throws(ReplyError) in
            try answer(request, identifiers)
        }
    }

    /// What the `interactiveData` of a message offers, in its order.
    public func offers(in interactive: JSONValue) -> [Offer] { offered(interactive["data"]) }

    /// The answer to a request.
    /// - Throws: `wrongKind`, `notOffered`, `past`, `tooMany` or `badChoice`.
    func reply(
        to request: Request, picking identifiers: [String], now: Timestamp?
    ) throws(ReplyError) -> Reply {
        try answer(request, identifiers, now)
    }
}

extension Picking {
    /// The elements of a list that have an identifier; `name` is the member that people read.
    static func offers(of list: JSONValue?, shownBy name: String) -> [Offer] {
        (list?.list ?? []).compactMap { item in
            item["identifier"]?.string.map {
                Offer(identifier: $0, title: item[name]?.string ?? "")
            }
        }
    }
}
