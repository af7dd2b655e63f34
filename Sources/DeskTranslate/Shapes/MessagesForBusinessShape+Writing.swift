import DeskJSON
import DeskMessages

extension MessagesForBusinessShape {
    /// Most characters of a line.
    private static let mostOfLine = 512
    /// How many answers a quick reply has.
    private static let quickAnswers = 2...5

    static func write(
        _ card: Card, _ writing: inout Writing, _ requestIdentifier: String
    ) -> Made {
        switch card {
        case .text(let text): return ["v": 1, "type": "text", "body": .text(text)]
        case .link(let link): return write(link, &writing)
        case .choices(let choices):
            let quick = choices.sections.count == 1 ? choices.sections[0] : nil
            let isQuick =
                choices.isQuick && choices.subtitle == nil && quick?.title == nil
                && quickAnswers.contains(quick?.choices.count ?? 0)
                && quick?.choices.allSatisfy { $0.subtitle == nil } == true
                && quick?.isMultiple == nil
            if isQuick, let quick { return write(choices, quick, &writing, requestIdentifier) }
            if choices.isQuick { writing.becomes("a list picker", choices) }
            return write(choices, &writing, requestIdentifier)
        }
    }

    private static func write(_ link: Link, _ writing: inout Writing) -> Made {
        guard isWeb(link.address.value) else {
            writing.losses.note(
                .dropped, at: link.address.places,
                "A rich link has an http or https address of at most 4096 characters.")
            return ["v": 1, "type": "text", "body": .text(link.title)]
        }
        return [
            "v": 1, "type": "richLink",
            "richLinkData": [
                "url": .text(link.address), "title": .text(line(link.title, "A title", &writing)),
                "assets": [:],
            ],
        ]
    }

    private static func write(
        _ choices: Choices, _ section: Section, _ writing: inout Writing,
        _ requestIdentifier: String
    ) -> Made {
        let items = writing.identified(section.choices, limit: mostOfLine).map { choice in
            let title = line(choice.title, "A quick reply's title", &writing)
            return Made.object([("identifier", .text(choice.identifier)), ("title", .text(title))])
        }
        let question = choices.title.map { line($0, "A question", &writing) }
        return interactive(
            requestIdentifier,
            (
                "quick-reply",
                .members([("summaryText", question.map { .text($0) }), ("items", .array(items))])
            ), bubble: nil)
    }

    private static func write(
        _ choices: Choices, _ writing: inout Writing, _ requestIdentifier: String
    ) -> Made {
        let identified = writing.identified(choices.all, limit: mostOfLine)
        var next = identified.makeIterator()
        let sections = choices.sections.enumerated().map { place, section in
            let items = section.choices.indices.map { order -> Made in
                guard let choice = next.next() else { return [:] }
                let title = line(choice.title, "An item's title", &writing)
                let subtitle = choice.subtitle.map { line($0, "An item's subtitle", &writing) }
                return .members([
                    ("identifier", .text(choice.identifier)), ("title", .text(title)),
                    ("subtitle", subtitle.map { .text($0) }),
                    ("order", .value(.integer(order), from: [])),
                ])
            }
            let title = section.title.map { line($0, "A section's title", &writing) }
            return Made.members([
                ("title", title.map { .text($0) } ?? ""),
                ("order", .value(.integer(place), from: [])),
                (
                    "multipleSelection",
                    .value(
                        .bool(section.isMultiple?.value == true),
                        from: section.isMultiple?.places ?? [])
                ), ("items", .array(items)),
            ])
        }
        let title = line(
            choices.title ?? writing.question(choices), "A bubble's title", &writing)
        let subtitle = choices.subtitle.map { line($0, "A bubble's subtitle", &writing) }
        return interactive(
            requestIdentifier, ("listPicker", ["sections": .array(sections)]),
            bubble: .members([
                ("title", .text(title)), ("subtitle", subtitle.map { .text($0) }),
            ]))
    }

    private static func interactive(
        _ requestIdentifier: String, _ feature: (String, Made), bubble: Made?
    ) -> Made {
        [
            "v": 1, "type": "interactive",
            "interactiveData": .members([
                ("bid", .value(.string(Rulebook.extensionIdentifier), from: [])),
                (
                    "data",
                    .object([
                        ("version", "1.0"),
                        ("requestIdentifier", .value(.string(requestIdentifier), from: [])),
                        feature,
                    ])
                ), ("receivedMessage", bubble),
            ]),
        ]
    }

    private static func line(
        _ text: Sourced<String>, _ what: String, _ writing: inout Writing
    ) -> Sourced<String> {
        writing.cut(text, to: mostOfLine, what)
    }
}
