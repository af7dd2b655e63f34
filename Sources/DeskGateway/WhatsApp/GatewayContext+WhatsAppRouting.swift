import DeskJSON
import DeskLinks
import DeskLog
import DeskModel

/// Where the parts of one post of Meta's belong.
struct WhatsAppRoutes: Sendable {
    /// The number of the callback URL at which it came.
    let own: WhatsAppNumber
    /// Other numbers of the same app, by their ids, which are digits.
    fileprivate(set) var others: [String: WhatsAppNumber] = [:]
    /// Whether it brings something for a number of another business, and not for that alone.
    fileprivate(set) var areMixed = false

    /// The number of an id; nil for one that no business here has.
    func find(_ id: String) -> WhatsAppNumber? {
        id.utf8.elementsEqual(own.link.mspID.utf8) ? own : others[id]
    }
}

extension GatewayContext {
    /// Finds whose numbers a post is about, and notes those that no business here has.
    ///
    /// An app has one callback URL, and several numbers, each of which may be another business's. A post for one number is
    /// in the wire log of its business; of one for several the content is with the messages alone.
    mutating func route(_ root: JSONValue, cameAt own: WhatsAppNumber) -> WhatsAppRoutes {
        var routes = WhatsAppRoutes(own: own)
        var isForOwn = false
        var unknown: Set<String> = []
        for entry in Self.elements(root["entry"]) {
            for change in Self.elements(entry["changes"]) where Self.isOfMessages(change) {
                let id = Self.number(of: change)
                if id.utf8.elementsEqual(own.link.mspID.utf8) {
                    isForOwn = true
                } else if routes.others[id] == nil, !unknown.contains(id) {
                    let found =
                        WhatsAppSettings.isID(id)
                        ? parts.links.findWhatsApp(number: id, of: own.secrets) : nil
                    if let found { routes.others[id] = found } else { unknown.insert(id) }
                }
            }
        }
        for id in unknown where WhatsAppSettings.isID(id) { noteUnknown(id, at: own.link) }
        guard let first = routes.others.values.first else { return routes }
        routes.areMixed = isForOwn || !unknown.isEmpty || routes.others.count > 1
        if routes.areMixed {
            keepEmpty(because: "It is for several numbers: the content is with each of them alone.")
        } else {
            link = first.link
            remark("It came at the callback URL of another number of the app.")
        }
        return routes
    }

    private func noteUnknown(_ number: String, at link: GatewayLink) {
        guard parts.links.unknownNumbers.note(number, at: link.id, time: time) else { return }
        parts.log.warning(
            "whatsapp_number_unknown", ["link": .text(link.id.text), "number": .text(number)])
    }

    /// Whether a change is one of those that are read.
    static func isOfMessages(_ change: JSONValue) -> Bool {
        change["field"]?.equals("messages") == true && change["value"] != nil
    }

    /// The id of the number that a change is about; empty where it names none.
    static func number(of change: JSONValue) -> String {
        change["value"]?["metadata"]?["phone_number_id"]?.string ?? ""
    }
}
