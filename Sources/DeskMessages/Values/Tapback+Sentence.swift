/// What a device sends for a reaction: plain text in the customer's language (protocol page 2.2).
extension Tapback {
    /// The text for a reaction to words, or with nil to a message without any.
    ///
    /// Locales other than Japanese get English. `reacted` and `removed` name an emoji of their own,
    /// and here a thumb.
    public func sentence(about words: String?, locale: String?) -> String {
        let isJapanese = locale?.lowercased().hasPrefix("ja") == true
        guard isJapanese, let words, let ending = japaneseEnding else {
            let thing = words.map { "\u{201C}\($0)\u{201D}" } ?? "1 Business Message"
            return "\(englishOpening) \(thing)"
        }
        return "\u{300C}\(words)\u{300D}\(ending)"
    }

    /// The text for a reaction with any emoji.
    public static func sentence(_ emoji: String, about words: String?) -> String {
        "Reacted \(emoji) to " + (words.map { "\u{201C}\($0)\u{201D}" } ?? "1 Business Message")
    }

    private var englishOpening: String {
        switch self {
        case .loved: "Loved"
        case .liked: "Liked"
        case .disliked: "Disliked"
        case .laughed: "Laughed at"
        case .emphasized: "Emphasized"
        case .questioned: "Questioned"
        case .reacted: "Reacted \u{1F44D} to"
        case .removed: "Removed \u{1F44D} from"
        }
    }

    private var japaneseEnding: String? {
        switch self {
        case .loved: "にハートを付けました"
        case .liked: "にいいねを付けました"
        case .disliked: "によくないねを付けました"
        case .laughed: "を笑いました"
        case .emphasized: "を強調しました"
        case .questioned: "に疑問を付けました"
        case .reacted, .removed: nil
        }
    }
}
