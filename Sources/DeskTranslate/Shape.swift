/// The form in which a vendor's channel writes a message that a business sends.
public enum Shape: String, Sendable, CaseIterable {
    /// Messages for Business, the middle: from any other shape to a third one goes by it.
    case messagesForBusiness = "messages-for-business"
    /// The body of WhatsApp Cloud API's `POST /messages`.
    case whatsapp
    /// The body of RCS Business Messaging's `phones.agentMessages.create`.
    case rcs
    /// A message object of LINE's Messaging API.
    case line
    /// The body of Slack's `chat.postMessage`.
    case slack
    /// The body of Telegram's `sendMessage`.
    case telegram

    /// The name that people know it by.
    public var name: String {
        switch self {
        case .messagesForBusiness: "Messages for Business"
        case .whatsapp: "WhatsApp"
        case .rcs: "RCS"
        case .line: "LINE"
        case .slack: "Slack"
        case .telegram: "Telegram"
        }
    }

    /// The schema of a vendor's shape, by its path below Schemas/ without `.json`; nil for ours, which the
    /// rulebook judges by kind.
    public var schema: String? {
        self == .messagesForBusiness ? nil : "vendor/\(rawValue)"
    }
}
