import DeskJSON
import DeskMessages
import DeskModel
import DeskScript

/// What a card of the business's offers to pick, by identifier and by what the customer reads.
struct CardOffer {
    private let kind: MessageKind
    private let interactive: JSONValue
    private let document: JSONDocument

    /// Reads a message; nil when it is no card.
    init?(_ message: StoredMessage) {
        // Safe: what is no JSON offers nothing.
        guard let bytes = message.payload.carriedBytes,
            let document = try? JSONDocument(parsing: bytes),
            let interactive = document.root["interactiveData"]
        else { return nil }
        kind = message.facts.kind
        self.document = document
        self.interactive = interactive
    }

    /// The way of shipping that a sheet shows first.
    var firstShippingMethod: String? {
        let methods = interactive["data"]?["payment"]?["paymentRequest"]?["shippingMethods"]
        return methods?[0]?["identifier"]?.string
    }

    /// The choice of some items, named as a customer or a programmer names them.
    ///
    /// Nil when the card is not for picking.
    func choice(of names: [String]) -> Result<Choice, Problem>? {
        guard kind == .list || kind == .time || kind == .quickReply else { return nil }
        var identifiers: [String] = []
        for name in names {
            guard let item = find(name) else {
                let offered = items.map { Quoted.text($0.identifier) }.joined(separator: ", ")
                return .failure(
                    Problem(
                        .notOffered,
                        "\(Quoted.text(name)) is not offered; there are: \(offered)."))
            }
            identifiers.append(item)
        }
        if kind == .list { return .success(.list(identifiers: identifiers)) }
        guard identifiers.count == 1, let one = identifiers.first else {
            return .failure(Problem(.notOffered, "One item can be picked of this card."))
        }
        return .success(
            kind == .time ? .time(identifier: one) : .quickReply(identifier: one))
    }

    private func find(_ name: String) -> String? {
        let items = items
        let found =
            items.first { $0.identifier.utf8.elementsEqual(name.utf8) }
            ?? items.first { $0.title.utf8.elementsEqual(name.utf8) }
        return found?.identifier
    }

    private var items: [(identifier: String, title: String)] {
        let data = interactive["data"]
        switch kind {
        case .list:
            let sections = (data?["listPicker"]?["sections"]?.elements).map(Array.init) ?? []
            return sections.flatMap { Self.items($0["items"], shown: "title") }
        case .time: return Self.items(data?["event"]?["timeslots"], shown: "startTime")
        case .quickReply: return Self.items(data?["quick-reply"]?["items"], shown: "title")
        default: return []
        }
    }

    private static func items(
        _ list: JSONValue?, shown name: String
    ) -> [(identifier: String, title: String)] {
        (list?.elements).map(Array.init)?.compactMap { item in
            item["identifier"]?.string.map { ($0, item[name]?.string ?? "") }
        } ?? []
    }
}
