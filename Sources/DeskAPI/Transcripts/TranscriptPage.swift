import DeskBytes
import DeskModel

/// A transcript as a page of its own, to be read, kept and printed.
enum TranscriptPage {
    private static let style = """
        body{font:15px/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;\
        color:#1a1a1a;background:#fff}\
        h1{font-size:1.25rem;margin:0}header p{margin:.2rem 0;color:#555;overflow-wrap:anywhere}\
        article+article{margin-top:3rem;border-top:1px solid #ccc;padding-top:2rem}\
        ol{list-style:none;margin:1.5rem 0 0;padding:0}li{margin:0 0 1rem;padding-left:.8rem;\
        border-left:3px solid #bbb}li.outbound{border-color:#2563eb}li.note{border-color:#b7791f;\
        background:#fff8e6}.by{font-weight:600}.by,time{font-size:.85rem}time{color:#555}\
        p{margin:.15rem 0;white-space:pre-wrap;overflow-wrap:anywhere}.kind,.file,.gone{color:#555}\
        @media print{body{margin:0;max-width:none;font-size:11pt}li{break-inside:avoid}\
        article+article{break-before:page;border:0;padding:0}}\
        @media(prefers-color-scheme:dark){@media screen{body{background:#16181c;color:#e8e8ea}\
        header p,time,.kind,.file,.gone{color:#a5a8ad}li{border-color:#4a4d52}\
        li.outbound{border-color:#7aa2ff}li.note{background:#2b2412}}}
        """

    static func head(_ transcript: Transcript) -> [UInt8] {
        let language = transcript.language
        return Array(
            """
            <!doctype html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <title>\(language.title)</title><style>\(style)</style></head><body>

            """.utf8)
    }

    static func begin(_ conversation: Conversation, _ transcript: Transcript) -> [UInt8] {
        let language = transcript.language
        let opened = transcript.shown(conversation.openedAt)
        return Array(
            """
            <article><header><h1>\(language.conversationWith) \
            <bdi>\(escaped(transcript.name(of: conversation)))</bdi></h1>\
            <p>\(escaped(conversation.customer.id.text))</p>\
            <p>\(language.opened) \(opened) · \(language.made) \(transcript.shown(transcript.madeAt))\
            </p></header><ol>

            """.utf8)
    }

    static func entry(
        _ entry: TranscriptEntry, of conversation: Conversation, _ transcript: Transcript
    ) -> [UInt8] {
        let language = transcript.language
        var text: String
        switch entry {
        case .damaged(let sequence):
            text = "<li><p class=\"gone\">\(language.damaged) \(sequence.value)</p>"
        case .message(let message):
            text = "<li class=\"\(message.facts.direction.rawValue)\">"
            text += lead(
                transcript.name(of: message.facts.author, in: conversation), message.time,
                transcript)
            let isPlain = message.facts.kind == .text && message.erasedAt == nil
            for (place, piece) in transcript.texts(of: message).enumerated() {
                let kind = place == 0 && !isPlain ? " class=\"kind\"" : ""
                text += "<p\(kind) dir=\"auto\">\(escaped(piece))</p>"
            }
            for file in message.facts.attachments {
                text += "<p class=\"file\">\(language.file): <bdi>\(escaped(file.name))</bdi> "
                text += "(\(file.byteCount) B)</p>"
            }
        case .note(let note):
            let name = transcript.name(of: note.author, in: conversation)
            text = "<li class=\"note\">"
            text += lead("\(language.note), \(name)", note.time, transcript)
            text += "<p dir=\"auto\">\(escaped(note.text))</p>"
        }
        return Array((text + "</li>\n").utf8)
    }

    private static func lead(
        _ name: String, _ time: Timestamp, _ transcript: Transcript
    ) -> String {
        "<span class=\"by\"><bdi>\(escaped(name))</bdi></span> "
            + "<time datetime=\"\(time.text)\">\(transcript.shown(time))</time>"
    }

    /// A text as HTML shows it, in elements and in quoted attributes; control characters that HTML does
    /// not allow become U+FFFD, and marks that turn the direction are left out.
    static func escaped(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: shown.append(scalar)
            case 0..<0x20, 0x7F..<0xA0: shown.append("\u{FFFD}")
            case 0x202A...0x202E, 0x2066...0x2069: break
            default: shown.append(scalar)
            }
        }
        return MarkupText.escaped(String(shown))
    }
}
