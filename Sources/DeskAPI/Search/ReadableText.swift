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

    /// All texts of a message in their order, without the names of its files; its summary when the
    /// payload is no JSON or has none.
    static func pieces(of message: StoredMessage) -> [String] {
        let pieces = gathered(message, upTo: .max) ?? []
        return pieces.isEmpty && !message.facts.summary.isEmpty ? [message.facts.summary] : pieces
    }

    private static func gathered(_ message: StoredMessage, upTo most: Int) -> [String]? {
        guard let bytes = message.payload.carriedBytes,
            let document = try? JSONDocument(parsing: bytes)  // Safe: the summary is there.
        else { return nil }
        return pieces(of: document.root, upTo: most)
    }

    /// The texts of a payload in their order, of at most so many bytes together.
    static func pieces(of payload: JSONValue, upTo most: Int = .max) -> [String] {
        var pieces: [String] = []
        var room = most
        gather(payload, into: &pieces, room: &room)
        return pieces
    }

    /// The text of a message that can be found, a line for each piece; its summary when the payload is no JSON.
    @Sendable public static func text(of message: StoredMessage) -> String {
        text(of: message, upTo: maximumBytes)
    }

    /// The whole text of a message, a line for each piece; its summary when the payload is no JSON.
    static func whole(of message: StoredMessage) -> String { text(of: message, upTo: .max) }

    private static func text(of message: StoredMessage, upTo most: Int) -> String {
        guard var pieces = gathered(message, upTo: most) else { return message.facts.summary }
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
        if room < 0, let last = pieces.popLast() { pieces.append(withoutHalves(last)) }
        // The signs of files say nothing to read.
        let read = pieces.map { piece in
            String(String.UnicodeScalarView(piece.unicodeScalars.filter { $0 != "\u{FFFC}" }))
        }.filter { !$0.allSatisfy(\.isWhitespace) }
        guard read.isEmpty else { return read.joined(separator: "\n") }
        let summary = message.facts.summary
        return summary.hasSuffix("…") ? withoutHalves(summary) + "…" : summary
    }

    /// A text that was cut, without what may be half of a number or of an address at its end: nothing would know it as one.
    static func withoutHalves(_ text: String) -> String {
        var scalars = text.unicodeScalars
        var left = mostScalarsOfAddress
        while left > 0, let last = scalars.last, !last.properties.isWhitespace {
            scalars.removeLast()
            left -= 1
        }
        while let last = scalars.last, !last.properties.isAlphabetic { scalars.removeLast() }
        return String(scalars)
    }

    /// As many as an e-mail address may have.
    private static let mostScalarsOfAddress = 320

    /// The beginning of a text that has at most so many bytes, cut between scalars.
    static func beginning(of text: String, bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
        while end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }

    /// Gathers texts as long as there is room; it is below zero once one was cut.
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
                    !text.isEmpty, room > 0
                else { continue }
                let shortened = beginning(of: text, bytes: room)
                let isCut = shortened.utf8.count < text.utf8.count
                room = isCut ? -1 : room - shortened.utf8.count
                if !shortened.isEmpty { pieces.append(shortened) }
            }
        case .array:
            for element in value.elements {
                gather(element, without: kept, into: &pieces, room: &room)
            }
        case .string, .number, .boolean, .null: return
        }
    }
}
