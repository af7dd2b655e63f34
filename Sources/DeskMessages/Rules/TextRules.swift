import DeskBytes
import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Largest attachment in bytes; one more byte is refused with 422.
    static let maximumAttachmentBytes = 100_000_000

    /// Judges a text's letters and its placeholders against its attachments.
    mutating func judgeText() {
        let attachments = root[stated: "attachments"]
        judgeAttachments(attachments)
        guard let body = root["body"], body.isString else { return }
        judgeCharacters(of: body)
        // Where attachments are no list, their number is unknown.
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
                : "Take out the U+FFFC characters that no attachment belongs to.",
            edits: Self.edits(for: body, placeholders: placeholders, stated))
    }

    /// Removes the last placeholders, or adds the missing ones at the end.
    private static func edits(
        for body: JSONValue, placeholders: Int, _ stated: Int
    ) -> [Edit] {
        let end = body.range.upperBound - 1
        guard placeholders > stated else {
            let missing = String(repeating: "\u{FFFC}", count: min(stated - placeholders, 10))
            return stated - placeholders > 10
                ? [] : [Edit(start: end, end: end, replacement: missing)]
        }
        guard placeholders - stated <= Judging.maximumFindings else { return [] }
        let bytes = Array(body.rawBytes)
        var edits: [Edit] = []
        var place = bytes.count - 1
        while place >= 3, edits.count < placeholders - stated {
            let length = placeholderLength(in: bytes, endingAt: place)
            guard length > 0 else {
                place -= 1
                continue
            }
            let start = body.range.lowerBound + place - length
            edits.append(Edit(start: start, end: start + length, replacement: ""))
            place -= length
        }
        return edits.count == placeholders - stated ? edits : []
    }

    /// Bytes of the U+FFFC, plain or as an escape, that ends before a place; 0 for none.
    private static func placeholderLength(in raw: [UInt8], endingAt end: Int) -> Int {
        if end >= 3, raw[end - 3] == 0xEF, raw[end - 2] == 0xBF, raw[end - 1] == 0xBC { return 3 }
        guard end >= 6, raw[end - 6] == UInt8(ascii: "\\"),
            ASCII.lowercased(raw[(end - 5)..<end]).elementsEqual("ufffc".utf8)
        else { return 0 }
        // Behind an odd number of backslashes this one is a letter of the text.
        let before = raw[..<(end - 6)].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return before % 2 == 0 ? 6 : 0
    }

    /// JSON lets most control characters in as escapes only, so a text without one is done at once.
    private mutating func judgeCharacters(of body: JSONValue) {
        guard body.rawBytes.hasByte(UInt8(ascii: "\\"), or: 0x7F), let text = body.string
        else { return }
        let unseen = text.unicodeScalars.filter(Self.isUnseen)
        guard let first = unseen.first else { return }
        var rest = String.UnicodeScalarView()
        rest.append(contentsOf: text.unicodeScalars.filter { !Self.isUnseen($0) })
        let digits = String(first.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        let what = unseen.count == 1 ? "a control character" : "\(unseen.count) control characters"
        note(
            .controlCharacter, at: body, found: "\(what), first \(name)",
            allowed: "characters that can be seen, line breaks and tabs", fix: "Take them out.",
            edits: [.replace(body, withString: String(rest))])
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0x00...0x1F, 0x7F: true
        default: false
        }
    }

    private mutating func judgeAttachments(_ attachments: JSONValue?) {
        guard let attachments else { return }
        for attachment in attachments.elements {
            if let signature = attachment[stated: "signature-base64"] { judgeChecksum(signature) }
            if let url = attachment[stated: "url"] ?? attachment["mmcs-url"] {
                judgeEncoding(of: url)
            }
            guard let size = attachment[stated: "size"] ?? attachment["file-size"] else { continue }
            guard let bytes = size.wholeNumber, bytes > Self.maximumAttachmentBytes
            else { continue }
            note(
                .attachmentTooLarge, at: size, found: "\(bytes) bytes",
                allowed: "at most \(Self.maximumAttachmentBytes) bytes",
                limit: Self.maximumAttachmentBytes, actual: bytes,
                fix: "Send a smaller file, or a link to it.")
        }
    }
}
