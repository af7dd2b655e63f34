import DeskBytes
import DeskModel

/// Words of a notice, apart by spaces; what may hold anything is escaped.
enum NoticeText {
    /// A word of a text that may hold anything, or nothing.
    static func word(_ text: String) -> String { "." + PercentCoding.encode(text) }

    /// The text of a word; nil when it is none.
    static func text(_ word: Substring) -> String? {
        guard word.first == ".", let bytes = PercentCoding.decode(word.dropFirst().utf8) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A word that may be missing.
    static func word(ifAny text: String?) -> String { text ?? "-" }

    /// The words of an item.
    static func words(_ item: Substring) -> [Substring] { item.split(separator: " ") }
}
