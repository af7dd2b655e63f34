import DeskJSON

/// LINE's Messaging API; docs/translate.md cites where the numbers are published.
enum LINEShape {
    private static let mostOfText = 5_000
    private static let mostQuickReplies = 13
    /// Most characters of a label below a text, and in a template.
    static let mostOfLabel = 20
    /// Most characters of a label in a bubble.
    static let mostOfBubbleLabel = 40
    private static let mostOfData = 300
    private static let mostOfTemplateText = 160
    private static let mostOfNotification = 1_500
    private static let mostOfAddress = 1_000
    /// LINE allows 5,000; it is the number of our own lines, and below the 1,500 of a notification.
    private static let mostOfLine = 512
    /// Most bytes of a bubble as JSON.
    private static let mostBytesOfBubble = 30_000

    static func write(_ card: Card, _ writing: inout Writing) -> Made {
        switch card {
        case .text(let text): return write(text, &writing)
        case .link(let link): return write(link, &writing)
        case .choices(let choices):
            if choices.isQuick { return writeQuick(choices, &writing) }
            return writeBubble(choices, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        ["type": "text", "text": .text(writing.cut(text, to: mostOfText, "A text"))]
    }

    private static func write(_ link: Link, _ writing: inout Writing) -> Made {
        guard let address = writing.address(of: link, upTo: mostOfAddress, isURI: true) else {
            return write(link.title, &writing)
        }
        let text = writing.cut(
            link.title, to: mostOfTemplateText, "A template's text", unit: .graphemes)
        // Of 160 characters as people see them, which may be far more UTF-16 units.
        let alternative = writing.cut(text, to: mostOfNotification, "A notification")
        return [
            "type": "template", "altText": .text(alternative),
            "template": [
                "type": "buttons", "text": .text(text),
                "actions": [["type": "uri", "label": "Open", "uri": .text(address)]],
            ],
        ]
    }

    private static func postback(
        _ choice: Choice, label most: Int, _ writing: inout Writing
    ) -> Made {
        let label = writing.cut(choice.title, to: most, "A label", unit: .graphemes)
        // The customer's own bubble has room for what the button has not.
        let shown = writing.cut(
            choice.title, to: mostOfData, "What a tap shows", unit: .graphemes)
        return [
            "type": "postback", "label": .text(label), "data": .text(choice.identifier),
            "displayText": .text(shown),
        ]
    }

    private static func writeQuick(_ choices: Choices, _ writing: inout Writing) -> Made {
        let text = writing.cut(
            choices.title ?? writing.question(choices), to: mostOfText, "A text")
        let kept = writing.first(mostQuickReplies, of: writing.flat(choices), "A quick reply")
        let items = writing.identified(kept, limit: mostOfData).map { choice -> Made in
            ["type": "action", "action": postback(choice, label: mostOfLabel, &writing)]
        }
        return [
            "type": "text", "text": .text(text), "quickReply": ["items": .array(items)],
        ]
    }

    private static func writeBubble(_ choices: Choices, _ writing: inout Writing) -> Made {
        writing.single(choices)
        let title = line(choices.title ?? writing.question(choices), &writing)
        var parts = [text(title, size: "lg")]
        if let subtitle = choices.subtitle {
            parts.append(text(line(subtitle, &writing), size: "md"))
        }
        var identified = writing.identified(choices.all, limit: mostOfData).makeIterator()
        var room = mostBytesOfBubble - bubble(parts).json.bytes().count
        for section in choices.sections {
            let heading = section.title.map { title -> Made in
                text(line(title, &writing), size: "sm")
            }
            var own = [heading ?? ["type": "separator"]]
            room -= own[0].json.bytes().count + 1
            for choice in section.choices.compactMap({ _ in identified.next() }) {
                let made = button(choice, &writing)
                let bytes = Made.array(made).json.bytes().count
                guard room >= bytes else {
                    writing.losses.note(
                        .dropped, at: [choice.place],
                        "A bubble in LINE has at most 30 KB of JSON.", limit: mostBytesOfBubble)
                    continue
                }
                room -= bytes
                own += made
            }
            if own.count > 1 { parts += own }
        }
        return ["type": "flex", "altText": .text(title), "contents": bubble(parts)]
    }

    private static func button(_ choice: Choice, _ writing: inout Writing) -> [Made] {
        let button: Made = [
            "type": "button", "action": postback(choice, label: mostOfBubbleLabel, &writing),
        ]
        guard let about = choice.subtitle else { return [button] }
        return [button, text(line(about, &writing), size: "xs")]
    }

    /// A line of a bubble, as long as one of ours and counted as ours are.
    private static func line(
        _ text: Sourced<String>, _ writing: inout Writing
    ) -> Sourced<String> {
        writing.cut(text, to: mostOfLine, "A line of a bubble", unit: .scalars)
    }

    private static func bubble(_ parts: [Made]) -> Made {
        [
            "type": "bubble",
            "body": [
                "type": "box", "layout": "vertical", "spacing": "sm", "contents": .array(parts),
            ],
        ]
    }

    private static func text(_ text: Sourced<String>, size: Made) -> Made {
        ["type": "text", "text": .text(text), "size": size, "wrap": true]
    }
}
