import DeskJSON

extension Judging {
    /// Largest attachment in bytes; one more byte is refused with 422.
    static let maximumAttachmentBytes = 100_000_000

    /// Judges a text's length and its placeholders against its attachments.
    mutating func judgeText() {
        let attachments = root["attachments"]
        judgeAttachments(attachments)
        guard let body = root["body"], body.isString else { return }
        judgeLength(of: body)
        // Where attachments are no list, nobody knows how many there are.
        if let attachments, attachments.kind != .array, context.attachmentCount == nil { return }
        let stated = context.attachmentCount ?? attachments?.count ?? 0
        if body.isEmptyText, stated == 0 {
            note(
                .textEmpty, at: body, found: "an empty text", allowed: "text, or an attachment",
                fix: "Write a text into body, or attach a file.")
        }
        let placeholders = body.countOfObjectReplacements
        guard placeholders != stated else { return }
        note(
            .placeholderCount, at: body,
            found: "\(placeholders) U+FFFC for \(stated) attachment\(stated == 1 ? "" : "s")",
            allowed: "one U+FFFC for each attachment", limit: stated, actual: placeholders,
            fix: placeholders < stated
                ? "Put a U+FFFC character where each attachment belongs."
                : "Take out the U+FFFC characters that no attachment belongs to.")
    }

    private mutating func judgeLength(of body: JSONValue) {
        let limits = context.textLimits
        // The raw text is never shorter than the decoded one, so most texts are done here.
        guard body.range.count - 2 > min(limits.scalars, limits.bytes) else { return }
        guard let bytes = body.stringBytes else { return }
        let scalars = bytes.count { $0 & 0xC0 != 0x80 }
        let passed =
            scalars > limits.scalars
            ? (scalars, limits.scalars, "characters")
            : bytes.count > limits.bytes ? (bytes.count, limits.bytes, "bytes") : nil
        guard let (actual, limit, unit) = passed else { return }
        note(
            .textTooLong, at: body, found: "\(actual) \(unit)", allowed: "at most \(limit) \(unit)",
            limit: limit, actual: actual, fix: "Shorten the text, or send it in several messages.")
    }

    private mutating func judgeAttachments(_ attachments: JSONValue?) {
        guard let attachments else { return }
        for attachment in attachments.elements {
            guard let size = attachment["size"] ?? attachment["file-size"] else { continue }
            guard let bytes = size.int ?? size.string.flatMap({ Int($0) }),
                bytes > Self.maximumAttachmentBytes
            else { continue }
            note(
                .attachmentTooLarge, at: size, found: "\(bytes) bytes",
                allowed: "at most \(Self.maximumAttachmentBytes) bytes",
                limit: Self.maximumAttachmentBytes, actual: bytes,
                fix: "Send a smaller file, or a link to it.")
        }
    }
}
