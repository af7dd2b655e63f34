import DeskJSON

/// Slack's Block Kit; docs/translate.md cites where the numbers are published.
enum SlackShape {
    private static let mostOfText = 40_000
    private static let mostOfSection = 3_000
    private static let mostOfContext = 3_000
    private static let mostBlocks = 50
    private static let mostOptions = 100
    private static let mostOfOption = 75
    private static let mostOfValue = 150
    private static let mostButtons = 25
    private static let mostOfButtonValue = 2_000
    private static let mostOfAddress = 3_000

    static func write(_ card: Card, _ writing: inout Writing) -> Made {
        switch card {
        case .text(let text): return write(text, &writing)
        case .link(let link):
            guard let address = writing.address(of: link, upTo: mostOfAddress) else {
                return write(link.title, &writing)
            }
            let title = cut(link.title, to: mostOfSection, "A section's text", &writing)
            let button: Made = [
                "type": "button", "action_id": "open",
                "text": ["type": "plain_text", "text": "Open"], "url": .text(address),
            ]
            return message(title, [section(title), actions([button])])
        case .choices(let choices):
            if choices.isQuick { return writeButtons(choices, &writing) }
            return writeMenus(choices, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        let kept = cut(text, to: mostOfText, "A text", &writing)
        return ["text": .text(SlackText.escaped(kept)), "mrkdwn": false]
    }

    /// A text of at most so many characters: what is escaped is counted as it is sent.
    private static func cut(
        _ text: Sourced<String>, to limit: Int, _ what: String, _ writing: inout Writing
    ) -> Sourced<String> {
        writing.cut(text, to: limit, what) { SlackText.escaped($0) }
    }

    private static func message(_ title: Sourced<String>, _ blocks: [Made]) -> Made {
        ["text": .text(SlackText.escaped(title)), "blocks": .array(blocks)]
    }

    /// A text object: its escapes are decoded in a plain one, too.
    private static func plain(_ text: Sourced<String>) -> Made {
        ["type": "plain_text", "text": .text(SlackText.escaped(text))]
    }

    private static func section(_ text: Sourced<String>) -> Made {
        ["type": "section", "text": plain(text)]
    }

    private static func actions(_ elements: [Made]) -> Made {
        ["type": "actions", "elements": .array(elements)]
    }

    private static func writeButtons(_ choices: Choices, _ writing: inout Writing) -> Made {
        let title = cut(
            choices.title ?? writing.question(choices), to: mostOfSection, "A section's text",
            &writing)
        let kept = writing.first(mostButtons, of: writing.flat(choices), "A row of buttons")
        let buttons = writing.identified(kept, limit: mostOfButtonValue).enumerated().map {
            place, choice -> Made in
            let label = cut(choice.title, to: mostOfOption, "A button's text", &writing)
            return [
                "type": "button", "action_id": "choice-\(place + 1)", "text": plain(label),
                "value": .text(choice.identifier),
            ]
        }
        return message(title, [section(title), actions(buttons)])
    }

    private static func writeMenus(_ choices: Choices, _ writing: inout Writing) -> Made {
        let title = cut(
            choices.title ?? writing.question(choices), to: mostOfSection, "A section's text",
            &writing)
        var blocks = [section(title)]
        if let subtitle = choices.subtitle {
            let words = cut(subtitle, to: mostOfContext, "A context's text", &writing)
            blocks.append(["type": "context", "elements": [plain(words)]])
        }
        var identified = writing.identified(choices.all, limit: mostOfValue).makeIterator()
        for (place, part) in choices.sections.enumerated() where !part.choices.isEmpty {
            let own = part.choices.compactMap { _ in identified.next() }
            guard blocks.count < mostBlocks else {
                writing.losses.note(
                    .dropped, at: [part.place], "A message in Slack has at most 50 blocks.",
                    limit: mostBlocks)
                continue
            }
            blocks.append(menu(part, own, place, &writing))
        }
        return message(title, blocks)
    }

    /// A section as a menu: with its title before it, or without one among actions.
    private static func menu(
        _ part: Section, _ choices: [Choice], _ place: Int, _ writing: inout Writing
    ) -> Made {
        let options = writing.first(mostOptions, of: choices, "A menu").map { choice -> Made in
            let text = cut(choice.title, to: mostOfOption, "An option's text", &writing)
            let about = choice.subtitle.map {
                cut($0, to: mostOfOption, "An option's description", &writing)
            }
            return .members([
                ("text", plain(text)), ("value", .text(choice.identifier)),
                ("description", about.map { plain($0) }),
            ])
        }
        let isMultiple = part.isMultiple?.value == true
        let type: Made = .value(
            .string(isMultiple ? "multi_static_select" : "static_select"),
            from: part.isMultiple?.places ?? [])
        let element: Made = [
            "type": type, "action_id": "section-\(place + 1)",
            "placeholder": ["type": "plain_text", "text": "Choose"], "options": .array(options),
        ]
        if part.title == nil, !isMultiple { return actions([element]) }
        let title = part.title.map { cut($0, to: mostOfSection, "A section's text", &writing) }
        return [
            "type": "section", "text": plain(title ?? Sourced("Choose")), "accessory": element,
        ]
    }
}

/// The escapes of Slack's texts, plain ones among them; docs/translate.md cites where they are published.
enum SlackText {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    static func escaped(_ text: Sourced<String>) -> Sourced<String> {
        Sourced(escaped(text.value), at: text.places)
    }

    static func plain(_ text: String) -> String {
        // Byte by byte: with a mark that combines behind it, a sign is part of another character.
        let known = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]
        var plain: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            plain += rest[..<mark]
            rest = rest[mark...]
            let found = known.first { rest.starts(with: $0.0.utf8) } ?? ("&", "&")
            plain += found.1.utf8
            rest = rest.dropFirst(found.0.utf8.count)
        }
        return String(decoding: plain + rest, as: UTF8.self)
    }
}
