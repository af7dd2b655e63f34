import DeskJSON

/// RCS Business Messaging; docs/translate.md cites where the numbers are published.
enum RCSShape {
    private static let mostOfText = 3_072
    private static let mostSuggestions = 11
    private static let mostOfSuggestion = 25
    private static let mostOfPostback = 2_048
    private static let mostOfTitle = 200
    private static let mostOfDescription = 2_000
    private static let mostOfAddress = 2_048

    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        guard let content = reading.root.stated("contentMessage") else {
            throw reading.nothing(found: "a message without contentMessage")
        }
        let card = content.stated("richCard")
        if let carousel = card?.stated("carouselCard") {
            return try readCarousel(carousel, content, &reading)
        }
        let standalone = card?.stated("standaloneCard")
        reading.imply(standalone, "cardOrientation", equal: "VERTICAL")
        let inner = standalone?.stated("cardContent")
        let texts = [content.text("text"), inner?.text("title"), inner?.text("description")]
            .compactMap { $0 }
        let lists = [inner, content].compactMap { $0?.stated("suggestions") }
        let replies = lists.flatMap { readReplies($0, &reading) }
        if !replies.isEmpty {
            return .choices(
                Choices(
                    isQuick: standalone == nil, title: texts.first,
                    subtitle: texts.count > 1 ? texts[1] : nil,
                    sections: [Section(choices: replies, place: lists[lists.count - 1].pointer)],
                    places: [content.pointer]))
        }
        let addresses = lists.flatMap { Array($0.elements) }.compactMap {
            $0.stated("action")?.stated("openUrlAction")?.text("url")
        }
        if let address = addresses.first, let title = texts.first {
            return .link(Link(title: title, address: address))
        }
        return .text(try words(texts, at: content, &reading))
    }

    /// Several texts as one.
    private static func words(
        _ texts: [Sourced<String>], at content: JSONValue, _ reading: inout Reading
    ) throws(TranslationError) -> Sourced<String> {
        guard let text = Sourced.lines(texts) else {
            throw reading.nothing(at: content, found: "a message without words")
        }
        if texts.count > 1 {
            reading.losses.note(.changed, at: text.places, "The texts become the lines of one.")
        }
        return text
    }

    private static func readReplies(_ list: JSONValue, _ reading: inout Reading) -> [Choice] {
        var choices: [Choice] = []
        for suggestion in list.elements {
            guard let reply = suggestion.stated("reply") else { continue }
            if let choice = reading.choice(
                suggestion, identifier: reply.text("postbackData"), title: reply.text("text"))
            {
                choices.append(choice)
            }
        }
        return choices
    }

    private static func readCarousel(
        _ carousel: JSONValue, _ content: JSONValue, _ reading: inout Reading
    ) throws(TranslationError) -> Card {
        var sections: [Section] = []
        var texts: [Sourced<String>] = []
        for card in carousel.list("cardContents") {
            texts += [card.text("title"), card.text("description")].compactMap { $0 }
            guard let list = card.stated("suggestions") else { continue }
            let choices = readReplies(list, &reading)
            guard !choices.isEmpty else { continue }
            sections.append(
                Section(title: card.text("title"), choices: choices, place: card.pointer))
        }
        guard !sections.isEmpty else { return .text(try words(texts, at: content, &reading)) }
        if let list = content.stated("suggestions") {
            let choices = readReplies(list, &reading)
            if !choices.isEmpty {
                sections.append(Section(choices: choices, place: list.pointer))
            }
        }
        reading.losses.note(
            .changed, at: [carousel.pointer], "The cards become the sections of a list.")
        return .choices(
            Choices(isQuick: false, sections: sections, places: [carousel.pointer]))
    }

    static func write(_ card: Card, _ writing: inout Writing) -> Made {
        switch card {
        case .text(let text): return write(text, &writing)
        case .link(let link):
            guard let address = writing.address(of: link, upTo: mostOfAddress, isURI: true) else {
                return write(link.title, &writing)
            }
            let title = writing.cut(link.title, to: mostOfTitle, "A card's title")
            return [
                "contentMessage": [
                    "richCard": standalone(
                        title, nil,
                        suggestions: [
                            [
                                "action": [
                                    "text": "Open", "postbackData": "open",
                                    "openUrlAction": ["url": .text(address)],
                                ]
                            ]
                        ])
                ]
            ]
        case .choices(let choices):
            return write(choices, &writing)
        }
    }

    private static func write(_ text: Sourced<String>, _ writing: inout Writing) -> Made {
        ["contentMessage": ["text": .text(writing.cut(text, to: mostOfText, "A text"))]]
    }

    private static func write(_ choices: Choices, _ writing: inout Writing) -> Made {
        let kept = writing.first(mostSuggestions, of: writing.flat(choices), "A message")
        let suggestions = writing.identified(kept, limit: mostOfPostback).map { choice -> Made in
            let text = writing.cut(choice.title, to: mostOfSuggestion, "A suggested reply")
            return ["reply": ["text": .text(text), "postbackData": .text(choice.identifier)]]
        }
        let title = choices.title ?? writing.question(choices)
        let content: (String, Made)
        if choices.isQuick {
            content = ("text", .text(writing.cut(title, to: mostOfText, "A text")))
        } else {
            let description = choices.subtitle.map {
                writing.cut($0, to: mostOfDescription, "A card's description")
            }
            let heading = writing.cut(title, to: mostOfTitle, "A card's title")
            content = ("richCard", standalone(heading, description, suggestions: nil))
        }
        return ["contentMessage": .object([content, ("suggestions", .array(suggestions))])]
    }

    private static func standalone(
        _ title: Sourced<String>, _ description: Sourced<String>?, suggestions: Made?
    ) -> Made {
        [
            "standaloneCard": [
                "cardOrientation": "VERTICAL",
                "cardContent": .members([
                    ("title", .text(title)), ("description", description.map { .text($0) }),
                    ("suggestions", suggestions),
                ]),
            ]
        ]
    }
}
