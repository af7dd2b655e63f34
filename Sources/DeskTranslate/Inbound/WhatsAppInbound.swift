public import DeskJSON

/// What a customer sent over WhatsApp, read from an element of `messages` of a webhook.
///
/// Members that are not read are losses, so that nothing is lost silently. docs/whatsapp.md cites where the form
/// is published.
public struct WhatsAppInbound: Sendable {
    /// What the message says.
    public enum Content: Hashable, Sendable {
        /// Words.
        case text(String)
        /// A file to fetch.
        case file(File)
        /// A tapped answer; what it answers is found by its identifier.
        case answer(Answer)
        /// A reaction to another message.
        case reaction(Reaction)
    }

    /// A file that lies at WhatsApp.
    public struct File: Hashable, Sendable {
        /// What it is asked for by.
        public let id: String
        /// The name shown.
        public let name: String
        /// The media type stated.
        public let mediaType: String
        /// The words under it.
        public let caption: String?
    }

    /// A tapped answer.
    public struct Answer: Hashable, Sendable {
        /// The identifier that the question gave it.
        public let identifier: String
        /// What the customer saw on it.
        public let title: String
    }

    /// A reaction.
    public struct Reaction: Hashable, Sendable {
        /// The sign; nil where the customer removed it.
        public let emoji: String?
        /// The name of the message that it is about.
        public let target: String
    }

    /// Longest name of a message, and of a customer, in bytes.
    public static let maximumNameBytes = 512

    /// Seconds since 1970 that a message may state: those of years of four digits.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// The message's name in WhatsApp.
    public let id: String
    /// The customer's number, as digits.
    public let from: String
    /// When it was sent, in seconds since 1970; nil where that cannot be read.
    public let seconds: Int64?
    /// What it says.
    public let content: Content
    /// The name of the message that it quotes or answers.
    public let context: String?
    /// What of it Messages for Business does not have.
    public let losses: [Loss]

    /// Reads a message; nil for what has no name, no sender or no type, or is no message of a customer.
    public init?(_ message: JSONValue) {
        guard let id = message.name("id"), let from = message.name("from"),
            let type = message["type"]?.string
        else { return nil }
        self.id = id
        self.from = from
        seconds = message["timestamp"]?.string.flatMap { Int64($0) }
            .flatMap { Self.times.contains($0) ? $0 : nil }
        context = message["context"]?["id"]?.string
        var reading = InboundReading(message, type)
        guard let content = reading.content() else { return nil }
        self.content = content
        losses = reading.losses.list
    }
}

extension JSONValue {
    /// A text that may be a name: neither empty nor too long.
    fileprivate func name(_ key: String) -> String? {
        guard let text = self[key]?.string,
            (1...WhatsAppInbound.maximumNameBytes).contains(text.utf8.count)
        else { return nil }
        return text
    }
}
