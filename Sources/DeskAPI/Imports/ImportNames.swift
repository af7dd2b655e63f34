import DeskBytes
import DeskModel
import DeskStore

/// The names that things of another system have here: always the same, so that an import that is repeated
/// finds what it brought.
struct ImportNames: Sendable {
    /// What a system may be called.
    static let systemRule = "1 to 40 of a-z, 0-9, - and ., such as chatwoot"
    /// The system of lines whose request names none.
    static let usualSystem = "import"
    /// Longest foreign name in bytes.
    static let maximumBytes = 256

    /// The business to which things are imported.
    let business: BusinessID
    /// The system in which they were.
    let system: String

    /// Whether a text names a system.
    static func isSystem(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// The customer's name: the foreign one where it is one of the protocol's, else made of it.
    func customer(_ foreign: String) -> CustomerID {
        if let id = CustomerID(foreign) { return id }
        let name = CustomerID.prefix + digest("customer", foreign).text
        guard let id = CustomerID(name) else {
            preconditionFailure("hexadecimal digits are letters of base64")
        }
        return id
    }

    /// The name of the conversation of a customer who has none.
    func conversation(of customer: CustomerID) -> ConversationID {
        ConversationID(unique("conversation", customer.text))
    }

    /// A message's name in its conversation: the foreign one where it is a UUID, as the protocol wants it, else one
    /// made of it.
    func message(_ foreign: String, of customer: CustomerID) -> MessageID {
        if UniqueID(foreign) != nil, let id = MessageID(foreign) { return id }
        return MessageID(unique("message", "\(customer.text) \(foreign)"))
    }

    /// A note's name in its conversation.
    func note(_ foreign: String, of customer: CustomerID) -> NoteID {
        NoteID(unique("note", "\(customer.text) \(foreign)"))
    }

    private func digest(_ kind: String, _ foreign: String) -> Digest {
        .sha256(Array("frontdesk import\n\(business.text)\n\(system)\n\(kind)\n\(foreign)".utf8))
    }

    /// A UUID of version 8, RFC 9562: made of what it names.
    private func unique(_ kind: String, _ foreign: String) -> UniqueID {
        let words = digest(kind, foreign).words
        return UniqueID(
            high: (words[0] & 0xFFFF_FFFF_FFFF_0FFF) | 0x8000,
            low: (words[1] & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000)
    }
}
