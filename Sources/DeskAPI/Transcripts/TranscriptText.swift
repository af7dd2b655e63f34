import DeskModel

/// A transcript as plain text: a line with time and author for each message, all further lines of it
/// indented, so that no message can look like another.
enum TranscriptText {
    static func begin(
        _ conversation: Conversation, _ transcript: Transcript, isFirst: Bool
    ) -> [UInt8] {
        let name = clean(transcript.name(of: conversation)).joined(separator: " ")
        var text = isFirst ? "" : "\n\n"
        text += "\(transcript.language.conversationWith) \(name)\n"
        text += "\(conversation.customer.id.text)\n"
        text += "\(transcript.language.opened) \(transcript.shown(conversation.openedAt))\n\n"
        return Array(text.utf8)
    }

    static func entry(
        _ entry: TranscriptEntry, of conversation: Conversation, _ transcript: Transcript
    ) -> [UInt8] {
        var lines: [String]
        switch entry {
        case .damaged(let sequence):
            lines = ["(\(transcript.language.damaged) \(sequence.value))"]
        case .message(let message):
            let name = clean(transcript.name(of: message.facts.author, in: conversation))
            lines = ["\(transcript.shown(message.time))  \(name.joined(separator: " ")):"]
            lines += transcript.texts(of: message).flatMap { clean($0) }.map { "    " + $0 }
            lines += message.facts.attachments.map { file in
                let name = clean(file.name).joined(separator: " ")
                return "    [\(transcript.language.file)] \(name) (\(file.byteCount) B)"
            }
        case .note(let note):
            let name = clean(transcript.name(of: note.author, in: conversation))
            let lead = "\(transcript.language.note), \(name.joined(separator: " "))"
            lines = ["\(transcript.shown(note.time))  \(lead):"]
            lines += clean(note.text).map { "    " + $0 }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// The lines of a text, by whatever ends a line, without other control characters and without marks
    /// that turn the direction of what follows.
    static func clean(_ text: String) -> [String] {
        var lines: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where wasReturn: break
            case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
                lines.append(String.UnicodeScalarView())
            case 0x09: lines[lines.count - 1].append(" ")
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
                lines[lines.count - 1].append("\u{FFFD}")
            default: lines[lines.count - 1].append(scalar)
            }
            wasReturn = scalar.value == 0x0D
        }
        return lines.map { String($0) }
    }
}
