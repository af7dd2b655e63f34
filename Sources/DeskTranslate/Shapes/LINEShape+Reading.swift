import DeskJSON

extension LINEShape {
    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        reading.imply(root, "type")
        switch root.stated("type")?.string {
        case "text": return try readText(&reading)
        case "template": return try readTemplate(&reading)
        default: return try readFlex(&reading)
        }
    }

    private static func readText(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        guard let text = root.text("text") else {
            throw reading.nothing(found: "a text without words")
        }
        let quick = root.stated("quickReply")
        let (choices, address) = readActions(
            (quick?.list("items") ?? []).compactMap { item in
                item.stated("action").map { (item, $0) }
            }, label: mostOfLabel, &reading)
        if let quick, !choices.isEmpty {
            return .choices(
                Choices(
                    isQuick: true, title: text,
                    sections: [Section(choices: choices, place: quick.pointer)],
                    places: [quick.pointer, root.pointer.appending("type")]))
        }
        return address.map { .link(Link(title: text, address: $0)) } ?? .text(text)
    }

    /// Answers, and the first address, of actions and the parts that hold them.
    private static func readActions(
        _ actions: [(holder: JSONValue, action: JSONValue)], label most: Int,
        _ reading: inout Reading
    ) -> ([Choice], Sourced<String>?) {
        var choices: [Choice] = []
        var address: Sourced<String>?
        for (holder, action) in actions {
            if let choice = readAction(action, label: most, &reading) {
                reading.imply(holder, "type")
                choices.append(choice)
            } else if address == nil, let uri = action.text("uri") {
                address = uri
                reading.imply(holder, "type")
                reading.imply(action, "type")
            }
        }
        return (choices, address)
    }

    private static func readAction(
        _ action: JSONValue, label most: Int, _ reading: inout Reading
    ) -> Choice? {
        let type = action.stated("type")
        let label = action.text("label")
        guard let type, type.equals("postback") || type.equals("message") else { return nil }
        if type.equals("message") {
            reading.losses.note(
                .changed, at: [type.pointer],
                "The text that a tap sends becomes the answer's identifier.")
            return reading.choice(action, identifier: action.text("text"), title: label)
        }
        reading.imply(action, "type")
        let shown = action.text("displayText")
        var title = label
        if let label, let shown {
            if label.value == shown.value {
                reading.imply(action, "displayText")
            } else if isCut(label, of: shown, to: most) {
                title = Sourced(shown.value, at: shown.places + label.places)
            }
        }
        return reading.choice(action, identifier: action.text("data"), title: title)
    }

    /// Whether a label is what we write where a longer text is shown on a tap.
    private static func isCut(
        _ label: Sourced<String>, of shown: Sourced<String>, to most: Int
    ) -> Bool {
        var unsaid = Writing(.line)
        return unsaid.cut(shown, to: most, "A label", unit: .graphemes).value == label.value
    }

    private static func readTemplate(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        guard let template = root.stated("template"), let type = template.stated("type") else {
            throw reading.nothing(found: "a template without a type")
        }
        var sections: [Section] = []
        for column in template.list("columns") {
            let (choices, _) = readActions(
                column.list("actions").map { ($0, $0) }, label: mostOfLabel, &reading)
            sections.append(
                Section(
                    title: column.text("title") ?? column.text("text"), choices: choices,
                    place: column.pointer))
        }
        var lines = [template.text("title"), template.text("text")].compactMap { $0 }
        let (choices, address) = readActions(
            template.list("actions").map { ($0, $0) }, label: mostOfLabel, &reading)
        if !choices.isEmpty {
            sections.append(Section(choices: choices, place: template.pointer))
        }
        let alternative = root.text("altText")
        Self.join(alternative, to: &lines)
        if type.equals("buttons") { reading.imply(template, "type") }
        sections.removeAll { $0.choices.isEmpty }
        if !sections.isEmpty {
            reading.losses.note(
                .changed, at: [root.pointer.appending("type"), template.pointer],
                "A template becomes a message of its words and answers.")
            return .choices(
                Choices(
                    isQuick: lines.count == 1, title: lines.first ?? alternative,
                    subtitle: lines.count > 1 ? lines[1] : nil, sections: sections,
                    places: [template.pointer, root.pointer.appending("type")]))
        }
        return try readWords(lines, address, alternative, &reading)
    }

    /// What a notification says is the first line once more.
    private static func join(
        _ alternative: Sourced<String>?, to lines: inout [Sourced<String>]
    ) {
        guard let alternative, lines.first?.value == alternative.value else { return }
        lines[0].places += alternative.places
    }

    private static func readWords(
        _ lines: [Sourced<String>], _ address: Sourced<String>?,
        _ alternative: Sourced<String>?, _ reading: inout Reading
    ) throws(TranslationError) -> Card {
        guard let words = Sourced.lines(lines) ?? alternative else {
            throw reading.nothing(found: "a message without words")
        }
        if let address { return .link(Link(title: lines.first ?? words, address: address)) }
        reading.losses.note(
            .changed, at: words.places + [reading.root.pointer.appending("type")],
            "The texts become the lines of one.")
        return .text(words)
    }

    private static func readFlex(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        guard let contents = root.stated("contents") else {
            throw reading.nothing(found: "a flex message without contents")
        }
        reading.imply(contents, "type")
        let alternative = root.text("altText")
        let bubbles = contents.stated("contents").map { Array($0.elements) } ?? [contents]
        if contents.stated("contents") != nil {
            reading.losses.note(
                .changed, at: [contents.pointer], "The bubbles become the sections of a list.")
        }
        let isOne = bubbles.count == 1
        var all = FlexFound()
        for bubble in bubbles {
            var found = FlexFound()
            reading.imply(bubble, "type")
            for part in ["header", "hero", "body", "footer"] {
                guard let part = bubble.stated(part) else { continue }
                found.visit(part, depth: 0, &reading)
            }
            found.sections.removeAll { $0.choices.isEmpty }
            if !isOne { found.entitle(&reading) }
            all.lines += found.lines
            all.sections += found.sections
            if all.address == nil { all.address = found.address }
        }
        Self.join(alternative, to: &all.lines)
        if all.sections.isEmpty {
            return try readWords(all.lines, all.address, alternative, &reading)
        }
        // The texts of several bubbles are not what stands above all of them.
        let lines = isOne ? all.lines : []
        return .choices(
            Choices(
                isQuick: false, title: lines.first ?? alternative,
                subtitle: lines.count > 1 ? lines[1] : nil, sections: all.sections,
                places: [contents.pointer]))
    }

    /// Texts and buttons of a bubble in the order in which they are seen.
    private struct FlexFound {
        /// What stands before the first heading or button.
        var lines: [Sourced<String>] = []
        var sections: [Section] = []
        var address: Sourced<String>?

        mutating func visit(_ part: JSONValue, depth: Int, _ reading: inout Reading) {
            switch part.stated("type")?.string {
            case "box":
                if depth == 0 {
                    reading.imply(part, "type")
                    reading.imply(part, "layout", equal: "vertical")
                    reading.imply(part, "spacing", equal: "sm")
                }
                for inner in part.list("contents") { visit(inner, depth: depth + 1, &reading) }
            case "text":
                // Where a text has spans, LINE shows them, and not the words beside them.
                let spans = part.list("contents")
                let shown =
                    spans.isEmpty ? part.text("text") : Self.words(of: spans, &reading)
                guard let text = shown else { return }
                add(text, part, &reading)
            case "separator":
                reading.keep(part, "type")
                sections.append(Section(choices: [], place: part.pointer))
            case "button":
                guard let action = part.stated("action") else { return }
                let (choices, address) = LINEShape.readActions(
                    [(part, action)], label: LINEShape.mostOfBubbleLabel, &reading)
                if self.address == nil { self.address = address }
                if sections.isEmpty { sections.append(Section(choices: [], place: part.pointer)) }
                sections[sections.count - 1].choices += choices
            default: return
            }
        }

        /// What spans say one behind the other; nil where nothing of it can be read.
        private static func words(
            of spans: [JSONValue], _ reading: inout Reading
        ) -> Sourced<String>? {
            var words = Sourced("")
            for span in spans where span.stated("type")?.equals("span") == true {
                guard let text = span.stated("text"), let said = text.string else { continue }
                words.value += said
                words.places.append(text.pointer)
                reading.imply(span, "type")
            }
            guard !words.isBlank else { return nil }
            reading.lossesOfKept.note(
                .changed, at: words.places, "The spans of a text become one text.")
            return words
        }

        /// A text is title, subtitle, a section's heading or what is said of the answer before it.
        private mutating func add(
            _ text: Sourced<String>, _ part: JSONValue, _ reading: inout Reading
        ) {
            let size = part.stated("size")?.string ?? "md"
            let last = sections.count - 1
            // The size that we write for what the text turns out to be.
            let usual: String
            if size == "xs", last >= 0, let choice = sections[last].choices.last {
                guard choice.subtitle == nil else { return }
                sections[last].choices[sections[last].choices.count - 1].subtitle = text
                usual = "xs"
            } else if size == "sm" || last >= 0 || lines.count > 1 {
                sections.append(Section(title: text, choices: [], place: part.pointer))
                usual = "sm"
            } else {
                lines.append(text)
                usual = lines.count == 1 ? "lg" : "md"
            }
            reading.imply(part, "type")
            reading.imply(part, "size", equal: usual)
            if part.stated("wrap")?.bool == true { reading.imply(part, "wrap") }
        }

        /// The first text of one bubble of several is the title of its first answers, before a heading of theirs.
        mutating func entitle(_ reading: inout Reading) {
            guard let title = lines.first, !sections.isEmpty else { return }
            guard let heading = sections[0].title else {
                sections[0].title = title
                return
            }
            let places = title.places + heading.places
            sections[0].title = Sourced("\(title.value): \(heading.value)", at: places)
            reading.losses.note(
                .changed, at: places, "The title of a bubble and the heading in it become one.")
        }
    }
}
