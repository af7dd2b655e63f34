import DeskJSON

/// Telegram's Bot API; docs/translate.md cites where the numbers are published.
enum TelegramShape {
    private static let mostOfText = 4_096
    private static let mostButtons = 100
    private static let mostOfCallback = 64
    /// How many answers of a list come back as a quick reply.
    private static let quickAnswers = 2...5

    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        guard let text = root.text("text") else {
            throw reading.nothing(found: "a message without words")
        }
        let markup = root.stated("reply_markup")
        let rows = markup.map { $0.list("inline_keyboard") + $0.list("keyboard") } ?? []
        var choices: [Choice] = []
        var address: Sourced<String>?
        for button in rows.flatMap({ Array($0.elements) }) {
            // A plain keyboard sends its label as the customer's text.
            let label = button.sourced ?? button.text("text")
            let data = button.text("callback_data")
            let isAnswer = data != nil || markup?.stated("keyboard") != nil
            if isAnswer,
                let choice = reading.choice(
                    button, identifier: data ?? label.map { Sourced($0.value, at: $0.places) },
                    title: label)
            {
                choices.append(choice)
            } else if address == nil {
                address = button.text("url")
            }
        }
        reading.noteRows(rows)
        if let keyboard = markup?.stated("keyboard") {
            reading.losses.note(
                .changed, at: [keyboard.pointer],
                "What a button says is its identifier, and stands below the message.")
        }
        if !choices.isEmpty, let markup {
            return .choices(
                Choices(
                    isQuick: true, title: text,
                    sections: [Section(choices: choices, place: markup.pointer)],
                    places: [markup.pointer]))
        }
        return address.map { .link(Link(title: text, address: $0)) } ?? .text(text)
    }

    static func write(_ card: Card, _ writing: inout Writing) -> Made {
        switch card {
        case .text(let text): return write(text, &writing)
        case .link(let link):
            return message(
                link.title, [[["text": "Open", "url": .text(link.address)]]], &writing)
        case .choices(let choices):
            return write(choices, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        ["text": .text(writing.cut(text, to: mostOfText, "A text"))]
    }

    private static func write(_ choices: Choices, _ writing: inout Writing) -> Made {
        let kept = writing.first(mostButtons, of: writing.flat(choices), "A keyboard")
        if !choices.isQuick, quickAnswers.contains(kept.count) {
            writing.becomes("a text with buttons, as a quick reply is", choices)
        }
        let rows = writing.identified(kept, limit: mostOfCallback, unit: .bytes).map {
            choice -> Made in
            let label = writing.cut(choice.title, to: mostOfText, "A button's text")
            return Made.array([
                ["text": .text(label), "callback_data": .text(choice.identifier)]
            ])
        }
        return message(writing.joined(choices), rows, &writing)
    }

    private static func message(
        _ text: Sourced<String>, _ rows: [Made], _ writing: inout Writing
    ) -> Made {
        [
            "text": .text(writing.cut(text, to: mostOfText, "A text")),
            "reply_markup": ["inline_keyboard": .array(rows)],
        ]
    }
}

extension Reading {
    /// Notes rows of several buttons, which come back below one another.
    mutating func noteRows(_ rows: [JSONValue]) {
        for row in rows where row.count > 1 {
            losses.note(.changed, at: [row.pointer], "Answers stand below one another.")
        }
    }
}
