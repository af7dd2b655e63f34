import DeskBytes
import DeskCrypto
import DeskModel

/// What customers, messages and answers of WhatsApp are called here, and ours there.
///
/// All of it is computed, so that what comes again has the same name on every node, and nothing has to be kept
/// to understand an answer.
enum WhatsAppNames {
    /// What the name of each customer encodes before the number.
    private static let prefix = Array("whatsapp:".utf8)

    /// The customer of a number; nil for a number that is too long for a name.
    static func customer(_ number: String) -> CustomerID? {
        CustomerID(CustomerID.prefix + Base64.encode(prefix + Array(number.utf8)))
    }

    /// A profile's name as far as a contact may have it; nil for one that cannot be seen.
    ///
    /// The customer chooses it, and an import refuses a longer one.
    static func person(_ name: String) -> String? {
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in name.unicodeScalars where scalar.value != 0 {
            bytes += UTF8.width(scalar)
            guard bytes <= Contact.maximumNameBytes else { break }
            kept.append(scalar)
        }
        let canBeSeen = kept.contains { !$0.properties.isWhitespace }
        return canBeSeen ? String(kept) : nil
    }

    /// The number of a customer; nil for one of another channel.
    static func number(of customer: CustomerID) -> String? {
        let text = customer.text.dropFirst(CustomerID.prefix.count)
        guard let bytes = Base64.decode(Array(text.utf8)), bytes.starts(with: prefix) else {
            return nil
        }
        return String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
    }

    /// The id of a message that came over a link.
    static func message(_ name: String, over link: GatewayLinkID) -> MessageID {
        let digest = SHA256.digest(Array("\(link.text) \(name)".utf8))
        guard let id = UniqueID(bytes: Array(digest.prefix(16))) else {
            preconditionFailure("a digest has more than sixteen bytes")
        }
        return MessageID(id)
    }

    /// What an answer of a question of ours is called: the question's id and the answer's place in it.
    ///
    /// An identifier there has up to 200 characters, and a message's id 128.
    static func answer(_ place: Int, of message: MessageID) -> String { "\(place):\(message.text)" }

    /// The question and the place of an answer of ours; nil for any other.
    static func readAnswer(_ text: String) -> (place: Int, message: MessageID)? {
        guard let colon = text.firstIndex(of: ":"), let place = Int(text[..<colon]), place >= 0,
            let message = MessageID(String(text[text.index(after: colon)...]))
        else { return nil }
        return (place, message)
    }

    /// What a status says of which message it is.
    static func reference(_ message: MessageID, in conversation: ConversationID) -> String {
        "\(conversation.text) \(message.text)"
    }

    /// The message that a status is about; nil for one that was sent by another program.
    static func readReference(
        _ text: String
    ) -> (conversation: ConversationID, message: MessageID)? {
        guard let space = text.firstIndex(of: " "),
            let conversation = ConversationID(String(text[..<space])),
            let message = MessageID(String(text[text.index(after: space)...]))
        else { return nil }
        return (conversation, message)
    }
}
