import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// Where the erasure of a conversation or a person goes on.
struct ErasurePlace: Hashable, Sendable {
    /// What is erased there.
    enum Part: Hashable, Sendable {
        /// The messages of a conversation behind one, up to the newest that it had when its erasure began; then its notes.
        case conversation(ConversationID, after: SequenceNumber, upTo: SequenceNumber)
        /// What events behind a position say of a person.
        case events(after: Position)
    }

    let part: Part

    init(_ part: Part) { self.part = part }

    /// Reads the text of an answer; nil for any other.
    init?(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
            .map { String($0) }
        if words.count == 2, words[0] == "events", let position = Self.number(words[1]) {
            part = .events(after: Position(position))
        } else if words.count == 3, let id = ConversationID(words[0]),
            let after = Self.number(words[1]), let last = Self.number(words[2]), after <= last
        {
            part = .conversation(
                id, after: SequenceNumber(after), upTo: SequenceNumber(last))
        } else {
            return nil
        }
    }

    private static func number(_ text: String) -> Int64? {
        DecimalText.number(text).map(Int64.init)
    }

    /// What an answer says; clients send it back as it is.
    var text: String {
        switch part {
        case .conversation(let id, let after, let last):
            "\(id.text).\(after.value).\(last.value)"
        case .events(let position): "events.\(position.value)"
        }
    }
}
