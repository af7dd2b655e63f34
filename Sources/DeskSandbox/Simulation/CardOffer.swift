import DeskAPI
import DeskJSON
import DeskMessages
import DeskModel
import DeskScript
import DeskWeb

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
        guard let picking = kind.model.picking else { return nil }
        let items = picking.offers(in: interactive)
        var identifiers: [String] = []
        for name in names {
            guard let item = Self.find(name, in: items) else {
                let offered = items.map { Quoted.text($0.identifier) }.joined(separator: ", ")
                return .failure(
                    Problem(
                        .notOffered,
                        "\(Quoted.text(name)) is not offered; there are: \(offered)."))
            }
            identifiers.append(item)
        }
        guard picking.takesSeveral || identifiers.count == 1 else {
            return .failure(Problem(.notOffered, "One item can be picked of this card."))
        }
        return .success(.picked(kind, identifiers: identifiers))
    }

    private static func find(_ name: String, in items: [Picking.Offer]) -> String? {
        let found =
            items.first { $0.identifier.utf8.elementsEqual(name.utf8) }
            ?? items.first { $0.title.utf8.elementsEqual(name.utf8) }
        return found?.identifier
    }
}
