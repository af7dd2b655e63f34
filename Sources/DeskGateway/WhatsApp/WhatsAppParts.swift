import DeskHTTP
import DeskJSON
import DeskLinks
import DeskMessages
import DeskModel
import DeskTranslate

/// What is sent to WhatsApp for one message of ours: several messages where it has several files.
struct WhatsAppParts {
    /// One message of WhatsApp's.
    enum Part {
        /// Its members, without the receiver.
        case message([(String, JSON)])
        /// A file with what stands under it.
        case file(AttachmentUse, WhatsAppFileKind, caption: String?)
    }

    /// Longest text under a file, in UTF-16 units.
    private static let mostOfCaption = 1_024
    /// Longest text, in UTF-16 units.
    private static let mostOfText = 4_096

    let parts: [Part]
    /// What the channel does not have, or has otherwise.
    let losses: [JSON]

    /// Reads a stored message.
    ///
    /// - Throws: a fault that says what cannot be shown.
    init(_ message: StoredMessage, _ translator: Translator) throws(WhatsAppFault) {
        if let template = message.facts.whatsAppTemplate {
            parts = [
                .message([
                    ("messaging_product", "whatsapp"), ("recipient_type", "individual"),
                    ("type", "template"), ("template", .raw(Array(template.utf8))),
                ])
            ]
            losses = []
            return
        }
        let payload = message.payload.carriedBytes ?? []
        if message.facts.kind == .text, !message.facts.attachments.isEmpty {
            let text = try Self.files(of: message, payload)
            parts = text.parts
            losses = text.losses
            return
        }
        let translation = try Self.translate(payload, translator)
        let named = translation.naming { WhatsAppNames.answer($0, of: message.id) }
        guard case .object(let members) = named else {
            throw WhatsAppFault(status: nil, detail: "the message cannot be translated", .never)
        }
        parts = [.message(members)]
        // Who sends and who receives is stated by the link, and is no loss of the message.
        losses = translation.losses.filter { !Self.isEnvelope($0.pointer) }.map(\.json)
    }

    /// The translation of a stored message.
    static func translate(
        _ payload: [UInt8], _ translator: Translator
    ) throws(WhatsAppFault) -> Translation {
        do throws(TranslationError) {
            return try translator.translate(payload, from: .messagesForBusiness, to: .whatsapp)
        } catch {
            switch error {
            case .fault(let fault):
                throw WhatsAppFault(
                    status: nil,
                    detail: "WhatsApp cannot show \(fault.found): \(fault.fix)", .never)
            case .refused, .sameShape:
                throw WhatsAppFault(
                    status: nil, detail: "the message breaks a rule and cannot be translated",
                    .never)
            }
        }
    }

    private static func isEnvelope(_ pointer: JSONPointer) -> Bool {
        pointer.tokens.count == 1
            && ["id", "sourceId", "destinationId", "locale"].contains(pointer.tokens[0])
    }

    private static func files(
        of message: StoredMessage, _ payload: [UInt8]
    ) throws(WhatsAppFault) -> (parts: [Part], losses: [JSON]) {
        // Safe: it was parsed when it was accepted.
        let body = (try? JSONDocument(parsing: payload).root)?["body"]?.string ?? ""
        var words = String(
            String.UnicodeScalarView(body.unicodeScalars.filter { $0 != "\u{FFFC}" }))
        words = String(words.drop { $0.isWhitespace })
        while words.last?.isWhitespace == true { words.removeLast() }
        var losses: [JSON] = []
        var parts: [Part] = []
        var caption = words.isEmpty ? nil : words
        for (place, file) in message.facts.attachments.enumerated() {
            let pointer = "/attachments/\(place)"
            guard let kind = WhatsAppFileKind(file) else {
                losses.append(
                    loss(.dropped, pointer, "A file in WhatsApp has at most 100,000,000 bytes."))
                continue
            }
            if kind == .document, isSeen(file) {
                losses.append(
                    loss(.changed, pointer, "The file becomes a document: its type or size."))
            }
            let fits = kind.hasCaption && (caption?.utf16.count ?? 0) <= mostOfCaption
            parts.append(.file(file, kind, caption: fits ? caption : nil))
            if fits, let words = caption {
                noteMarkup(words, &losses)
                caption = nil
            }
        }
        if let caption {
            parts.insert(.message(text(caption, &losses)), at: 0)
        }
        guard !parts.isEmpty else {
            throw WhatsAppFault(
                status: nil, detail: "the files are too large for WhatsApp", .never)
        }
        return (parts, losses)
    }

    private static func isSeen(_ file: AttachmentUse) -> Bool {
        ["image/", "video/", "audio/"].contains { file.mediaType.hasPrefix($0) }
    }

    private static func text(_ words: String, _ losses: inout [JSON]) -> [(String, JSON)] {
        var kept = words
        if words.utf16.count > mostOfText {
            losses.append(
                loss(.shortened, "/body", "A text in WhatsApp has at most 4096 characters."))
            kept = ""
            // One unit is left for the mark at the end.
            var left = mostOfText - 1
            for character in words {
                left -= character.utf16.count
                guard left >= 0 else { break }
                kept.append(character)
            }
            kept += "\u{2026}"
        }
        noteMarkup(kept, &losses)
        return [
            ("messaging_product", "whatsapp"), ("recipient_type", "individual"),
            ("type", "text"), ("text", ["body": .string(kept)]),
        ]
    }

    /// Notes words that are shown otherwise than they are written, above files and under them as in a text alone.
    private static func noteMarkup(_ words: String, _ losses: inout [JSON]) {
        guard Shape.whatsapp.showsMarkup(in: words) else { return }
        losses.append(
            loss(
                .changed, "/body",
                "WhatsApp shows words between its marks as bold, italic, struck or code."))
    }

    private static func loss(_ kind: Loss.Kind, _ pointer: String, _ reason: String) -> JSON {
        [
            "kind": .string(kind.rawValue), "pointer": .string(pointer), "reason": .string(reason),
        ]
    }
}

extension WhatsAppParts.Part {
    /// The message about an uploaded file.
    static func content(
        about id: String, _ file: AttachmentUse, _ kind: WhatsAppFileKind, caption: String?
    ) -> [(String, JSON)] {
        var about: [(String, JSON)] = [("id", .string(id))]
        if let caption { about.append(("caption", .string(caption))) }
        if kind == .document { about.append(("filename", .string(file.name))) }
        return [
            ("messaging_product", "whatsapp"), ("recipient_type", "individual"),
            ("type", .string(kind.rawValue)), (kind.rawValue, .object(about)),
        ]
    }
}

extension Loss {
    /// The loss as the wire log and events have it.
    var json: JSON {
        [
            "kind": .string(kind.rawValue), "pointer": .string(pointer.description),
            "reason": .string(reason),
        ]
    }
}
