import DeskJSON

/// WhatsApp Cloud API; docs/translate.md cites where the numbers are published.
enum WhatsAppShape {
    private static let mostOfText = 4_096
    private static let mostOfHeader = 60
    private static let mostOfButtonBody = 1_024
    private static let mostOfListBody = 4_096
    private static let mostButtons = 3
    private static let mostOfButton = 20
    private static let mostOfButtonIdentifier = 256
    private static let mostRows = 10
    private static let mostOfRow = 24
    private static let mostOfRowIdentifier = 200
    private static let mostOfDescription = 72

    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        reading.imply(root, "messaging_product", "type")
        reading.imply(root, "recipient_type", equal: "individual")
        let isText = root.stated("type")?.equals("text") == true
        if isText, let text = root.stated("text")?.text("body") {
            noteMarkup(text, &reading)
            return .text(text)
        }
        guard !isText, let interactive = root.stated("interactive"),
            let body = interactive.stated("body")?.text("text")
        else { throw reading.nothing(found: "a message without words") }
        noteMarkup(body, &reading)
        reading.imply(interactive, "type")
        let action = interactive.stated("action")
        let header = interactive.stated("header")
        let heading = header?.text("text")
        if heading != nil { reading.imply(header, "type") }
        if let address = action?.stated("parameters")?.text("url") {
            reading.imply(action, "name")
            return .link(Link(title: body, address: address))
        }
        let sections = try readSections(action, &reading)
        return .choices(
            Choices(
                isQuick: heading == nil && action?.stated("buttons") != nil,
                title: heading ?? body, subtitle: heading == nil ? nil : body,
                sections: sections,
                places: [interactive.pointer.appending("type")]
                    + (action.map { [$0.pointer] } ?? [])))
    }

    private static func noteMarkup(_ text: Sourced<String>, _ reading: inout Reading) {
        guard Markup.isWhatsApp(text.value) else { return }
        reading.losses.note(
            .changed, at: text.places, "Texts have no markup; its marks stay as written.")
    }

    private static func readSections(
        _ action: JSONValue?, _ reading: inout Reading
    ) throws(TranslationError) -> [Section] {
        var sections: [Section] = []
        if let buttons = action?.stated("buttons") {
            var section = Section(choices: [], place: buttons.pointer)
            for button in buttons.elements {
                let reply = button.stated("reply")
                if let choice = reading.choice(
                    button, identifier: reply?.text("id"), title: reply?.text("title"))
                {
                    reading.imply(button, "type")
                    section.choices.append(choice)
                }
            }
            sections.append(section)
        }
        for part in action?.list("sections") ?? [] {
            var section = Section(
                title: part.text("title"), choices: [], place: part.pointer)
            for row in part.list("rows") {
                if let choice = reading.choice(
                    row, identifier: row.text("id"), title: row.text("title"),
                    subtitle: row.text("description"))
                {
                    section.choices.append(choice)
                }
            }
            sections.append(section)
        }
        sections.removeAll { $0.choices.isEmpty }
        guard !sections.isEmpty else {
            throw reading.nothing(at: action, found: "a question without answers")
        }
        return sections
    }

    static func write(_ card: Card, _ writing: inout Writing) -> Made {
        switch card {
        case .text(let text): return write(text, &writing)
        case .link(let link):
            let body = body(link.title, mostOfButtonBody, "The text over a button", &writing)
            return message(
                "cta_url", nil, body,
                [
                    "name": "cta_url",
                    "parameters": ["display_text": "Open", "url": .text(link.address)],
                ])
        case .choices(let choices):
            if choices.isQuick, choices.all.count <= mostButtons {
                writing.single(choices)
                return writeButtons(choices, &writing)
            }
            if choices.isQuick { writing.becomes("a list, for more than 3 answers", choices) }
            let kept = writing.first(mostRows, of: choices, "A list")
            writing.single(kept)
            return writeList(kept, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        let body = body(text, mostOfText, "A text", &writing)
        return [
            "messaging_product": "whatsapp", "recipient_type": "individual", "type": "text",
            "text": ["body": .text(body)],
        ]
    }

    /// A text that WhatsApp may show with markup; headings, titles and descriptions have none.
    private static func body(
        _ text: Sourced<String>, _ limit: Int, _ what: String, _ writing: inout Writing
    ) -> Sourced<String> {
        let kept = writing.cut(text, to: limit, what)
        if Markup.isWhatsApp(kept.value) {
            writing.losses.note(
                .changed, at: text.places,
                "WhatsApp shows words between its marks as bold, italic, struck or code.")
        }
        return kept
    }

    private static func message(
        _ type: String, _ header: Sourced<String>?, _ body: Sourced<String>, _ action: Made
    ) -> Made {
        [
            "messaging_product": "whatsapp", "recipient_type": "individual",
            "type": "interactive",
            "interactive": .members([
                ("type", .value(.string(type), from: [])),
                ("header", header.map { ["type": "text", "text": .text($0)] }),
                ("body", ["text": .text(body)]), ("action", action),
            ]),
        ]
    }

    private static func writeButtons(_ choices: Choices, _ writing: inout Writing) -> Made {
        let body = body(
            choices.title ?? writing.question(choices), mostOfButtonBody, "The text over buttons",
            &writing)
        var titles: Set<String> = []
        let identified = writing.identified(
            choices.all, limit: mostOfButtonIdentifier, isTrimmed: true)
        let buttons = identified.enumerated()
            .map { place, choice -> Made in
                var title = writing.cut(choice.title, to: mostOfButton, "A button's title")
                var number = place + 1
                while !titles.insert(title.value).inserted {
                    writing.losses.note(
                        .changed, at: title.places, "The titles of buttons differ in WhatsApp.")
                    // That it is shorter too is part of that finding.
                    var unsaid = Writing(.whatsapp)
                    title = unsaid.cut(
                        Sourced("\(number) \(choice.title.value)", at: title.places),
                        to: mostOfButton, "A button's title")
                    number += mostButtons
                }
                return [
                    "type": "reply",
                    "reply": ["id": .text(choice.identifier), "title": .text(title)],
                ]
            }
        return message("button", nil, body, ["buttons": .array(buttons)])
    }

    private static func writeList(_ choices: Choices, _ writing: inout Writing) -> Made {
        var identified = writing.identified(
            choices.all, limit: mostOfRowIdentifier, isTrimmed: true
        ).makeIterator()
        var sections: [Made] = []
        for section in choices.sections {
            let own = section.choices.compactMap { _ in identified.next() }
            let rows = own.map { row($0, &writing) }
            let title = section.title.map { writing.cut($0, to: mostOfRow, "A section's title") }
            let needed: Made? =
                choices.sections.count > 1 ? "Choices \(sections.count + 1)" : nil
            sections.append(
                .members([("title", title.map { .text($0) } ?? needed), ("rows", .array(rows))]))
        }
        let header = choices.subtitle == nil ? nil : choices.title
        let words = choices.subtitle ?? choices.title ?? writing.question(choices)
        return message(
            "list", header.map { writing.cut($0, to: mostOfHeader, "A heading") },
            body(words, mostOfListBody, "The text over a list", &writing),
            ["button": "Choose", "sections": .array(sections)])
    }

    private static func row(_ choice: Choice, _ writing: inout Writing) -> Made {
        let title = writing.cut(choice.title, to: mostOfRow, "A row's title")
        let description = choice.subtitle.map {
            writing.cut($0, to: mostOfDescription, "A row's description")
        }
        return .members([
            ("id", .text(choice.identifier)), ("title", .text(title)),
            ("description", description.map { .text($0) }),
        ])
    }
}

extension Made: ExpressibleByStringInterpolation {}
