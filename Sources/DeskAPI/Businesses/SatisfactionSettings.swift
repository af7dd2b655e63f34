import DeskJSON
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Whether and how the customers of a business are asked how satisfied they are.
struct SatisfactionSettings {
    /// Days after a question that can be chosen for the next one.
    static let days = 1...365

    /// What asks.
    enum Kind: String, CaseIterable {
        /// Five choices to tap.
        case quickReply
        /// A page with the choices and one for words, where the customer's device shows forms.
        case form
    }

    var isOn = false
    var kind = Kind.quickReply
    /// Minutes between closing and asking.
    var delayMinutes = 0
    /// A customer is not asked again within so many days.
    var notAgainDays = 30
    private var texts: [Language: SatisfactionTexts] = [:]

    /// Asks no customer.
    init() {}

    /// Reads a request's body, or what was stored.
    ///
    /// - Throws: `invalid` with the place of each fault.
    init(_ value: JSONValue) throws(Problem) {
        var fields = try Fields(value)
        isOn = fields.requireValue("isOn").flatMap { _ in fields.claim("isOn") } ?? false
        kind = fields.word("kind", Kind.self) ?? .quickReply
        delayMinutes = fields.number("delayMinutes", 0...SatisfactionPlan.longestDelay) ?? 0
        notAgainDays = fields.number("notAgainDays", Self.days) ?? 30
        if let stated = fields.value("texts"), !stated.isNull {
            var parts = try Fields(stated)
            for language in Language.allCases {
                guard let part = parts.value(language.rawValue), !part.isNull else { continue }
                texts[language] = try SatisfactionTexts(part, language)
            }
            try parts.finish()
        }
        try fields.finish()
    }

    /// Reads what was stored; one that this program cannot read asks no customer.
    init(stored: StoredSatisfaction?) {
        guard let stored, let value = JSONValue.parsed(stored.data),
            let read = try? SatisfactionSettings(value)
        else { return }
        self = read
    }

    /// What is said in a language.
    func texts(in language: Language) -> SatisfactionTexts {
        texts[language] ?? .standard(language)
    }

    /// What a store keeps.
    var stored: StoredSatisfaction {
        StoredSatisfaction(isOn ? SatisfactionPlan(delayMinutes: delayMinutes) : nil, json)
    }

    /// The JSON that is stored and answered.
    var json: [UInt8] {
        JSONWriter.object { text in
            text.member("isOn", isOn)
            text.member("kind", kind.rawValue)
            text.member("delayMinutes", delayMinutes)
            text.member("notAgainDays", notAgainDays)
            text.member("texts") { text in
                text.object { text in
                    for language in Language.allCases {
                        text.key(text: language.rawValue)
                        texts(in: language).write(to: &text)
                    }
                }
            }
        }
    }
}

extension Services {
    /// Whether and how the customers of a business are asked.
    func satisfaction(of business: BusinessID) async throws(Problem) -> SatisfactionSettings {
        SatisfactionSettings(
            stored: try await asking { store throws(StoreError) in
                try await store.satisfaction(of: business)
            })
    }
}
