public import DeskJSON

/// A message template of a WhatsApp Business Account, as the Graph API lists it.
///
/// docs/whatsapp.md cites where the form is published.
public struct WhatsAppTemplate: Hashable, Sendable {
    /// What stands above the text.
    public struct Header: Hashable, Sendable {
        /// `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT`, or another that is not filled here.
        public let format: String
        /// The words of a text.
        public let text: String?
    }

    /// A button below the text.
    public struct Button: Hashable, Sendable {
        /// `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or another that is not filled here.
        public let type: String
        /// What stands on it.
        public let text: String
        /// The address or the number behind it.
        public let value: String?
    }

    /// The word for a template that may be sent.
    public static let approved = "APPROVED"
    /// Longest name in bytes.
    public static let maximumNameBytes = 512
    /// Longest language in bytes, such as `en_US`.
    public static let maximumLanguageBytes = 32

    /// Its name in the account.
    public let name: String
    /// Its language, such as `en_US`; a name has one template for each.
    public let language: String
    /// `MARKETING`, `UTILITY` or `AUTHENTICATION`.
    public let category: String
    /// Whether it may be sent, such as `APPROVED` or `PAUSED`.
    public let status: String
    /// What stands above the text.
    public let header: Header?
    /// The text, with its variables in double braces.
    public let body: String
    /// What stands below the text.
    public let footer: String?
    /// The buttons, in their order.
    public let buttons: [Button]
    /// What must be given to send it, in the order of the places.
    public let parameters: [Parameter]
    /// Whether all that it needs can be given here.
    public let isFillable: Bool
    /// Whether its variables have names, and not numbers.
    let isNamed: Bool

    /// Bytes of all its texts.
    public var byteCount: Int {
        var texts = [name, language, category, status, body]
        texts += [header?.format, header?.text, footer].compactMap { $0 }
        texts += buttons.flatMap { [$0.type, $0.text, $0.value ?? ""] }
        texts += parameters.flatMap { [$0.key, $0.name, $0.example ?? ""] }
        return texts.reduce(0) { $0 + $1.utf8.count }
    }

    /// Reads an element of the list; nil for what is no template.
    public init?(_ template: JSONValue) {
        guard let name = template["name"]?.string, let language = template["language"]?.string,
            (1...Self.maximumNameBytes).contains(name.utf8.count),
            (1...Self.maximumLanguageBytes).contains(language.utf8.count)
        else { return nil }
        var reading = Reading(template)
        reading.read()
        self.name = name
        self.language = language
        category = template["category"]?.string ?? ""
        status = template["status"]?.string ?? ""
        header = reading.header
        body = reading.body
        footer = reading.footer
        buttons = reading.buttons
        parameters = reading.parameters
        isFillable = reading.isFillable
        isNamed = reading.isNamed
    }
}

extension WhatsAppTemplate {
    /// A value that must be given.
    public struct Parameter: Hashable, Sendable {
        /// What the value is.
        public enum Kind: String, Sendable, CaseIterable {
            /// A word or a few, on one line.
            case text
            /// The address of a picture.
            case image
            /// The address of a film.
            case video
            /// The address of a document.
            case document
            /// The end of a button's address.
            case suffix
            /// A code that the customer copies.
            case code
        }

        /// Which part of the template it stands in.
        public enum Place: String, Sendable, CaseIterable {
            /// Above the text.
            case header
            /// The text.
            case body
            /// A button.
            case button
        }

        /// What a request names it by, such as `body.1`.
        public let key: String
        /// Where it stands.
        public let place: Place
        /// What it is.
        public let kind: Kind
        /// What stands between the braces: a number or a name; of a button its place.
        public let name: String
        /// What was given as an example when the template was made.
        public let example: String?

        /// Longest value in bytes.
        public var maximumBytes: Int {
            switch kind {
            case .text: place == .header ? 240 : 4_096
            case .image, .video, .document, .suffix: 2_000
            case .code: 64
            }
        }

        /// Why a value cannot be given; nil for one that can.
        public func fault(of value: String) -> String? {
            switch kind {
            case .text, .code:
                // Published: an error of its own, 132018, which comes when it is sent.
                value.unicodeScalars.contains { $0.value < 0x20 } || value.contains("     ")
                    ? "text on one line, without tabs and with at most four spaces in a row" : nil
            case .suffix:
                value.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
                    ? "the end of an address, without spaces" : nil
            case .image, .video, .document:
                value.hasPrefix("https://") && !value.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
                    ? nil : "an address that begins with https://"
            }
        }
    }
}
