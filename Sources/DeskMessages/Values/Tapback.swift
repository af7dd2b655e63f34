/// A reaction to a message, which arrives as plain text in the customer's language (protocol page 2.2).
public enum Tapback: String, Sendable, CaseIterable {
    /// A heart.
    case loved
    /// Thumbs up.
    case liked
    /// Thumbs down.
    case disliked
    /// Laughter.
    case laughed
    /// Exclamation marks.
    case emphasized
    /// A question mark.
    case questioned
    /// Any emoji.
    case reacted
    /// One of them removed.
    case removed

    /// Under which name it is kept among a message's protocol fields; ours, not the protocol's.
    public static let headerName = "x-tapback"

    /// How such texts begin, and whether something quoted or counted follows.
    private static let openings: [(words: String, tapback: Tapback)] = [
        ("Loved", .loved), ("Liked", .liked), ("Disliked", .disliked),
        ("Laughed at", .laughed), ("Emphasized", .emphasized), ("Emphasised", .emphasized),
        ("Questioned", .questioned), ("Removed a heart from", .removed),
        ("Removed a like from", .removed), ("Removed a dislike from", .removed),
        ("Removed a laugh from", .removed), ("Removed an exclamation from", .removed),
        ("Removed a question mark from", .removed),
    ]
    private static let things = [
        "an image", "a photo", "a movie", "a video", "an attachment", "a link", "a voice message",
        "an audio message", "a sticker",
    ]
    private static let japaneseEndings: [(words: String, tapback: Tapback)] = [
        ("にハートを付けました", .loved), ("を大好きと言いました", .loved),
        ("にいいねを付けました", .liked), ("を\u{201C}いいね！\u{201D}と強調しました", .liked),
        ("によくないねを付けました", .disliked), ("を笑いました", .laughed),
        ("を強調しました", .emphasized), ("に疑問を付けました", .questioned),
    ]

    /// Recognises the English and Japanese wording; nil for any other text.
    public init?(text: String) {
        guard let found = Self.english(text) ?? Self.japanese(text) else {
            return nil
        }
        self = found
    }

    private static func english(_ text: String) -> Tapback? {
        for opening in openings where text.hasPrefix(opening.words + " ") {
            let rest = text.dropFirst(opening.words.count + 1)
            if isObject(rest) { return opening.tapback }
        }
        // `Reacted <emoji> to "…"`, `Removed <emoji> from "…"`.
        for (verb, link, tapback) in [
            ("Reacted ", " to ", Tapback.reacted), ("Removed ", " from ", .removed),
        ] where text.hasPrefix(verb) {
            let words = text.dropFirst(verb.count)
            guard let end = words.firstRange(of: link) else { continue }
            let emoji = words[..<end.lowerBound]
            if emoji.count == 1, emoji.unicodeScalars.allSatisfy({ !$0.isASCII }),
                isObject(words[end.upperBound...])
            {
                return tapback
            }
        }
        return nil
    }

    /// Something quoted whole, a thing, or a number of messages.
    private static func isObject(_ text: Substring) -> Bool {
        let quotes: [(Character, Character)] = [("\u{201C}", "\u{201D}"), ("\"", "\"")]
        for (open, close) in quotes
        where text.count >= 2 && text.first == open && text.last == close {
            return true
        }
        if things.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { return true }
        let words = text.split(separator: " ")
        return words.count == 3 && Int(words[0]) != nil && words[1] == "Business"
            && words[2].hasPrefix("Message")
    }

    private static func japanese(_ text: String) -> Tapback? {
        guard text.first == "\u{300C}" || text.first == "\u{201C}" else { return nil }
        return japaneseEndings.first { text.hasSuffix($0.words) }?.tapback
    }
}
