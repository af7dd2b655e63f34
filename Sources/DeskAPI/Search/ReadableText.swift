import DeskJSON
public import DeskModel

/// What people read of a message, whatever its kind: texts, titles, items, file names.
public enum ReadableText {
    /// Bytes of text that are indexed of one message; the rest cannot be found.
    static let maximumBytes = 32 * 1_024

    /// Members whose text is shown to people somewhere.
    private static let shown: Set<String> = [
        "alternateTitle", "appName", "body", "brandName", "buttonTitle", "description",
        "familyName", "givenName", "header", "hintText", "imageSubtitle", "imageTitle", "label",
        "labelText", "locality", "merchantName", "name", "pickerTitle", "placeholder",
        "prefixText", "secondarySubtitle", "splashtext", "subtitle", "summaryText",
        "tertiarySubtitle", "title", "value",
    ]

    /// The texts of a message in their order, without the names of its files; its summary when the
    /// payload is no JSON or has none.
    static func pieces(of message: StoredMessage) -> [String] {
        let pieces = gathered(message) ?? []
        return pieces.isEmpty && !message.facts.summary.isEmpty ? [message.facts.summary] : pieces
    }

    private static func gathered(_ message: StoredMessage) -> [String]? {
        guard let bytes = message.payload.carriedBytes,
            let document = try? JSONDocument(parsing: bytes)  // Safe: the summary is there.
        else { return nil }
        return pieces(of: document.root)
    }

    /// The texts of a payload in their order.
    static func pieces(of payload: JSONValue) -> [String] {
        var pieces: [String] = []
        var room = maximumBytes
        gather(payload, into: &pieces, room: &room)
        return pieces
    }

    /// The text of a message, a line for each piece; its summary when the payload is no JSON.
    @Sendable public static func text(of message: StoredMessage) -> String {
        guard var pieces = gathered(message) else { return message.facts.summary }
        for attachment in message.facts.attachments
        where !pieces.contains(where: { $0.utf8.elementsEqual(attachment.name.utf8) }) {
            pieces.append(attachment.name)
        }
        return pieces.isEmpty ? message.facts.summary : pieces.joined(separator: "\n")
    }

    /// Members that no model is shown: files, and who a customer is and where one lives.
    private static let kept: Set<String> = [
        "attachments", "images", "familyName", "givenName", "locality", "shippingContact",
        "billingContact",
    ]

    /// What a model may read of a message, a line for each piece: without names of files and of customers; its
    /// summary when nothing else is there to read.
    static func shared(of message: StoredMessage) -> String {
        var pieces: [String] = []
        var room = maximumBytes
        if let bytes = message.payload.carriedBytes,
            let document = try? JSONDocument(parsing: bytes)  // Safe: the summary is there.
        {
            gather(document.root, without: kept, into: &pieces, room: &room)
        }
        // The signs of files say nothing to read.
        let read = pieces.map { piece in
            String(String.UnicodeScalarView(piece.unicodeScalars.filter { $0 != "\u{FFFC}" }))
        }.filter { !$0.allSatisfy(\.isWhitespace) }
        return read.isEmpty ? message.facts.summary : read.joined(separator: "\n")
    }

    private static func gather(
        _ value: JSONValue, without kept: Set<String> = [], into pieces: inout [String],
        room: inout Int
    ) {
        switch value.kind {
        case .object:
            for member in value.members where !kept.contains(member.key) {
                guard member.value.kind == .string else {
                    gather(member.value, without: kept, into: &pieces, room: &room)
                    continue
                }
                guard shown.contains(member.key), let text = member.value.string,
                    !text.isEmpty, text.utf8.count <= room
                else { continue }
                room -= text.utf8.count
                pieces.append(text)
            }
        case .array:
            for element in value.elements {
                gather(element, without: kept, into: &pieces, room: &room)
            }
        case .string, .number, .boolean, .null: return
        }
    }
}
