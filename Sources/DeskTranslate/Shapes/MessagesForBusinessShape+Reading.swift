import DeskJSON
import DeskMessages

/// Messages for Business: what a message of each kind says.
enum MessagesForBusinessShape {
    private static let mostOfAddress = 4_096

    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        reading.imply(root, "v", "type")
        guard let type = root.stated("type")?.string else {
            throw reading.nothing(found: "a message without a type")
        }
        switch type {
        case "text": return try readText(&reading)
        case "richLink": return try readLink(&reading)
        case "interactive": return try readInteractive(&reading)
        default:
            throw reading.nothing(
                at: root.stated("type"), found: "\(type), which is a signal and no message")
        }
    }

    private static func readText(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        if let body = root.text("body") {
            // Scalar by scalar: with a mark that combines behind it, the sign is part of another character.
            let scalars = body.value.unicodeScalars
            let kept = scalars.filter { $0 != "\u{FFFC}" }
            let words = String(String.UnicodeScalarView(kept))
            if kept.count != scalars.count {
                reading.losses.note(
                    .changed, at: body.places, "The signs that stand for files are left out.")
            }
            let text = Sourced(words, at: body.places)
            if !text.isBlank { return .text(text) }
        }
        let names = root.list("attachments").compactMap { $0.text("name") }
        guard let text = Sourced.lines(names) else {
            throw reading.nothing(at: root["body"], found: "a text without words")
        }
        reading.losses.note(
            .changed, at: text.places, "The name of the file stands for the file.")
        return .text(text)
    }

    private static func readLink(_ reading: inout Reading) throws(TranslationError) -> Card {
        let data = reading.root.stated("richLinkData")
        if let title = data?.text("title"), let address = data?.text("url") {
            guard isWeb(address.value) else {
                return text(title, &reading, "A link that is not of the web becomes its title.")
            }
            return .link(
                Link(
                    title: title, address: address,
                    places: reading.root["type"].map { [$0.pointer] } ?? []))
        }
        guard let title = reading.root.stated("richLinkDataRef")?.text("title") else {
            throw reading.nothing(found: "a link whose title and address are not in it")
        }
        return text(title, &reading, "A link whose address is encrypted becomes its title.")
    }

    /// Whether an address is one that a rich link may have.
    static func isWeb(_ address: String) -> Bool {
        ["https://", "http://"].contains { address.hasPrefix($0) && address.count > $0.count }
            && !address.contains(where: \.isWhitespace)
            && address.unicodeScalars.count <= mostOfAddress
    }

    private static func text(
        _ text: Sourced<String>, _ reading: inout Reading, _ reason: String
    ) -> Card {
        let places = text.places + (reading.root["type"].map { [$0.pointer] } ?? [])
        reading.losses.note(.changed, at: places, reason)
        return .text(text)
    }

    private static func readInteractive(
        _ reading: inout Reading
    ) throws(TranslationError) -> Card {
        let interactive = reading.root.stated("interactiveData")
        let data = interactive?.stated("data")
        let bubble = interactive?.stated("receivedMessage")
        if let list = data?.stated("listPicker") {
            reading.implyFeature(of: interactive)
            return try card(readList(list, bubble, &reading), &reading)
        }
        if let quick = data?.stated("quick-reply") {
            reading.implyFeature(of: interactive)
            return try card(readQuick(quick, &reading), &reading)
        }
        if let event = data?.stated("event") {
            reading.implyFeature(of: interactive)
            return try card(readEvent(event, bubble, &reading), &reading)
        }
        let lines = [bubble?.text("title"), bubble?.text("subtitle")].compactMap { $0 }
        let title = reading.root.stated("interactiveDataRef")?.text("title")
        guard let words = Sourced.lines(lines) ?? title else {
            throw reading.nothing(
                at: interactive ?? reading.root["interactiveDataRef"],
                found: "an interactive message without a title")
        }
        return text(
            words, &reading, "A message of this kind becomes a text of its title and subtitle.")
    }

    /// A question without answers is what it asks.
    private static func card(
        _ choices: Choices, _ reading: inout Reading
    ) throws(TranslationError) -> Card {
        if !choices.all.isEmpty { return .choices(choices) }
        guard let words = Sourced.lines([choices.title, choices.subtitle].compactMap { $0 })
        else {
            throw reading.nothing(
                at: reading.root["interactiveData"], found: "a question without words and answers")
        }
        return text(words, &reading, "A question without answers becomes a text.")
    }

    private static func readQuick(_ quick: JSONValue, _ reading: inout Reading) -> Choices {
        var choices: [Choice] = []
        for item in quick.list("items") {
            if let choice = reading.choice(
                item, identifier: item.text("identifier"), title: item.text("title"))
            {
                choices.append(choice)
            }
        }
        let section = Section(choices: choices, place: quick.pointer.appending("items"))
        return Choices(
            isQuick: true, title: quick.text("summaryText"), sections: [section],
            places: [quick.pointer])
    }

    private static func readList(
        _ list: JSONValue, _ bubble: JSONValue?, _ reading: inout Reading
    ) -> Choices {
        var sections: [Section] = []
        let parts = list.list("sections").filter { !$0.list("items").isEmpty }
        for section in reading.ordered(parts) {
            var choices: [Choice] = []
            for item in reading.ordered(section.list("items")) {
                reading.imply(item, "style", equal: "default")
                if let choice = reading.choice(
                    item, identifier: item.text("identifier"), title: item.text("title"),
                    subtitle: item.text("subtitle"))
                {
                    choices.append(choice)
                }
            }
            let multiple = section.stated("multipleSelection")
            if multiple?.bool == false { reading.imply(section, "multipleSelection") }
            sections.append(
                Section(
                    title: section.text("title"),
                    isMultiple: multiple?.bool == true
                        ? multiple.map { Sourced(true, at: [$0.pointer]) } : nil,
                    choices: choices, place: section.pointer))
        }
        let (title, subtitle) = reading.heading(of: bubble)
        return Choices(
            isQuick: false, title: title, subtitle: subtitle, sections: sections,
            places: [list.pointer] + (bubble.map { [$0.pointer] } ?? []))
    }
}

extension Reading {
    /// What every message of a built-in feature states alike.
    fileprivate mutating func implyFeature(of interactive: JSONValue?) {
        imply(interactive, "bid", equal: Rulebook.extensionIdentifier)
        imply(interactive?.stated("data"), "version", equal: "1.0")
    }

    /// Title and subtitle of a bubble; a subtitle alone is the title.
    mutating func heading(
        of bubble: JSONValue?
    ) -> (title: Sourced<String>?, subtitle: Sourced<String>?) {
        let subtitle = bubble?.text("subtitle")
        if let title = bubble?.text("title") { return (title, subtitle) }
        losses.note(
            .changed, at: subtitle?.places ?? [], "Without a title the subtitle is the title.")
        return (subtitle, nil)
    }

    /// Parts in the order that they state, with a finding where a number is not its part's place.
    mutating func ordered(_ parts: [JSONValue]) -> [JSONValue] {
        let placed = parts.enumerated().map { (($1.stated("order")?.int ?? $0, $0), $1) }
        let sorted = placed.sorted { $0.0 < $1.0 }.map(\.1)
        for (place, part) in sorted.enumerated() {
            guard let order = part["order"], !order.isNull else { continue }
            if order.int == place {
                imply(part, "order")
            } else {
                losses.note(
                    .changed, at: [order.pointer], "Parts are numbered from 0 as they follow.")
            }
        }
        return sorted
    }
}
