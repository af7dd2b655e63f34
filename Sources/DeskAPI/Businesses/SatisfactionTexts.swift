import DeskBytes
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb

/// What a customer who is asked reads, in one language.
struct SatisfactionTexts: Hashable {
    /// Longest question, and question for words, in bytes.
    static let longestQuestion = 512
    /// Longest choice in bytes: a button shows little more.
    static let longestChoice = 120
    /// Longest thanks in bytes.
    static let longestThanks = 1_000

    /// What is asked.
    let question: String
    /// What the scores are called, that of 1 first.
    let choices: [String]
    /// What a form asks beside the score.
    let comment: String
    /// What is said to one who answered; nil for nothing.
    let thanks: String?

    private init(question: String, choices: [String], comment: String, thanks: String?) {
        self.question = question
        self.choices = choices
        self.comment = comment
        self.thanks = thanks
    }

    /// What is said where a business chose nothing.
    static func standard(_ language: Language) -> SatisfactionTexts {
        switch language {
        case .english:
            SatisfactionTexts(
                question: "How satisfied are you with our help?",
                choices: [
                    "Very dissatisfied", "Dissatisfied", "Neither", "Satisfied", "Very satisfied",
                ],
                comment: "Would you like to say more?", thanks: "Thank you for your answer.")
        case .japanese:
            SatisfactionTexts(
                question: "今回の対応にどのくらい満足されましたか？",
                choices: ["とても不満", "不満", "どちらでもない", "満足", "とても満足"],
                comment: "ほかにお聞かせいただけることはありますか？", thanks: "ご回答ありがとうございました。")
        }
    }

    /// Reads a part of a request's body, or of what was stored; what is not stated is the standard.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue, _ language: Language) throws(Problem) {
        let standard = Self.standard(language)
        var fields = try Fields(value)
        question = fields.words("question", upTo: Self.longestQuestion) ?? standard.question
        comment = fields.words("comment", upTo: Self.longestQuestion) ?? standard.comment
        let thanks = fields.words("thanks", upTo: Self.longestThanks)
        self.thanks = fields.value("thanks") == nil ? standard.thanks : thanks
        if let stated = fields.value("choices"), !stated.isNull {
            choices = Self.choices(stated, &fields) ?? standard.choices
        } else {
            choices = standard.choices
        }
        try fields.finish()
    }

    private static func choices(_ value: JSONValue, _ fields: inout Fields) -> [String]? {
        let count = Satisfaction.scores.count
        guard value.kind == .array, value.count == count else {
            fields.note(
                .value, value, "an array of \(count) texts",
                "Send one text for each score, that of 1 first.")
            return nil
        }
        var choices: [String] = []
        for element in value.elements {
            guard let text = element.string, text.utf8.count <= longestChoice,
                text.unicodeScalars.contains(where: { !$0.properties.isWhitespace })
            else {
                fields.note(
                    .value, element, "a text of 1 to \(longestChoice) bytes",
                    "Send what the score is called.")
                continue
            }
            guard !choices.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                fields.note(
                    .value, element, "a text that no other score has",
                    "A customer could not distinguish the two.")
                continue
            }
            choices.append(text)
        }
        return choices.count == count ? choices : nil
    }

    func write(to text: inout JSONWriter) {
        text.object { text in
            text.member("question", question)
            text.member("choices") { text in
                text.array { text in for choice in choices { text.string(choice) } }
            }
            text.member("comment", comment)
            text.member("thanks", thanks)
        }
    }
}

extension Fields {
    /// A text with something to read in it; nil where it is absent, null, or a finding.
    fileprivate mutating func words(_ name: String, upTo bytes: Int) -> String? {
        guard let text = text(name, bytes: 1...bytes) else { return nil }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            note(name, "a text with something to read", "Send words, or null.")
            return nil
        }
        return text
    }
}
