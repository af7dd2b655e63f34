import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskWeb

/// How much of an accepted message its sender asks to read back.
enum AnswerDetail {
    /// The message as it is stored.
    case whole
    /// Its names and its place: `Prefer: return=minimal` (RFC 7240, section 4.2).
    case minimal

    /// What the request asks for; anything but `return=minimal` means all of it.
    init(asked request: Request) {
        guard let prefer = request.headers.first("prefer") else {
            self = .whole
            return
        }
        // The usual spelling; parsing the field costs more than the answer saves.
        if prefer.utf8.elementsEqual("return=minimal".utf8) {
            self = .minimal
            return
        }
        let wantsLittle = prefer.split(separator: ",").contains { preference in
            let words = preference.split(separator: ";")[0].split(separator: "=")
            guard words.count == 2, let name = words.first, let value = words.last else {
                return false
            }
            return name.trimmed.lowercased() == "return" && value.trimmed == "minimal"
        }
        self = wantsLittle ? .minimal : .whole
    }

    /// About how many bytes the answer for a message has.
    func capacity(for message: StoredMessage) -> Int {
        switch self {
        case .whole: message.payload.byteCount + 1_024
        case .minimal: 256
        }
    }

    /// Says that less was answered than there is (RFC 7240, section 3).
    func note(in response: inout Response) {
        if self == .minimal { response.headers.append("Preference-Applied", "return=minimal") }
    }
}

extension JSONWriter {
    /// Writes a message that was accepted, as far as its sender asks to read it.
    mutating func accepted(
        _ message: StoredMessage, _ detail: AnswerDetail, _ authorNames: AuthorNames
    ) {
        switch detail {
        case .whole: self.message(message, authorNames)
        case .minimal:
            object { text in
                text.member("id", message.id.text)
                text.member("conversation", message.conversation.value)
                text.member("sequence", Int(message.sequence.value))
                text.member("time", message.time)
            }
        }
    }
}

extension Substring {
    /// Without the spaces around it.
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.count >= 2, text.first == "\"", text.last == "\"" {
            text = text.dropFirst().dropLast()
        }
        return text
    }
}
