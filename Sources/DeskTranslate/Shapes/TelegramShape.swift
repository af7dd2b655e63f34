import DeskJSON

/// Telegram's Bot API; docs/translate.md cites where the numbers are published.
enum TelegramShape {
    private static let mostOfText = 4_096
    private static let mostButtons = 100
    private static let mostOfCallback = 64
    /// Most bytes of a keyboard as JSON.
    private static let mostBytesOfKeyboard = 10_000
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
            return write(link, &writing)
        case .choices(let choices):
            return write(choices, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        ["text": .text(writing.cut(text, to: mostOfText, "A text"))]
    }

    private static func write(_ link: Link, _ writing: inout Writing) -> Made {
        let rows: [Made] = [[["text": "Open", "url": .text(link.address)]]]
        let bytes = keyboard(rows).json.bytes().count
        guard bytes <= mostBytesOfKeyboard else {
            writing.losses.note(
                .dropped, at: link.address.places, tooLong, limit: mostBytesOfKeyboard,
                actual: bytes)
            writing.losses.note(
                .changed, at: link.places, "A link without its address becomes its title.")
            return write(link.title, &writing)
        }
        return message(link.title, rows, &writing)
    }

    private static func write(_ choices: Choices, _ writing: inout Writing) -> Made {
        let kept = writing.first(mostButtons, of: writing.flat(choices), "A keyboard")
        var rows: [Made] = []
        var bytes = keyboard([]).json.bytes().count
        for choice in writing.identified(kept, limit: mostOfCallback, unit: .bytes) {
            let label = writing.cut(choice.title, to: mostOfText, "A button's text")
            let row: Made = [["text": .text(label), "callback_data": .text(choice.identifier)]]
            let longer = bytes + row.json.bytes().count + (rows.isEmpty ? 0 : 1)
            guard longer <= mostBytesOfKeyboard else {
                writing.losses.note(
                    .dropped, at: [choice.place], tooLong, limit: mostBytesOfKeyboard,
                    actual: longer)
                continue
            }
            bytes = longer
            rows.append(row)
        }
        guard !rows.isEmpty else {
            writing.becomes("a text", choices)
            return write(writing.joined(choices), &writing)
        }
        if !choices.isQuick, quickAnswers.contains(rows.count) {
            writing.becomes("a text with buttons, as a quick reply is", choices)
        }
        return message(writing.joined(choices), rows, &writing)
    }

    private static var tooLong: String {
        "A keyboard in Telegram has at most 10,000 bytes of JSON."
    }

    private static func keyboard(_ rows: [Made]) -> Made { ["inline_keyboard": .array(rows)] }

    private static func message(
        _ text: Sourced<String>, _ rows: [Made], _ writing: inout Writing
    ) -> Made {
        [
            "text": .text(writing.cut(text, to: mostOfText, "A text")),
            "reply_markup": keyboard(rows),
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
