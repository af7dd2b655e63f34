import DeskJSON

extension SlackShape {
    /// What was found in the blocks so far.
    private struct Found {
        var texts: [Sourced<String>] = []
        var sections: [Section] = []
        var address: Sourced<String>?
        /// Whether all answers are buttons of one block.
        var isQuick = true
    }

    static func read(_ reading: inout Reading) throws(TranslationError) -> Card {
        let root = reading.root
        var found = Found()
        for block in root.list("blocks") { read(block, &found, &reading) }
        if let written = root.text("text") { read(written, &found, &reading) }
        let choices = found.sections.filter { !$0.choices.isEmpty }
        if !choices.isEmpty {
            return .choices(
                Choices(
                    isQuick: found.isQuick && choices.count == 1 && found.texts.count == 1,
                    title: found.texts.first,
                    subtitle: found.texts.count > 1 ? found.texts[1] : nil, sections: choices,
                    places: root.stated("blocks").map { [$0.pointer] } ?? []))
        }
        if let address = found.address, let title = found.texts.first {
            return .link(Link(title: title, address: address))
        }
        guard let words = Sourced.lines(found.texts) else {
            throw reading.nothing(found: "a message without words")
        }
        if root.stated("blocks") != nil {
            reading.losses.note(
                .changed, at: words.places, "The blocks become the lines of one text.")
        }
        return .text(words)
    }

    /// The text beside the blocks: the first of theirs once more, or what is said where there are none.
    private static func read(
        _ written: Sourced<String>, _ found: inout Found, _ reading: inout Reading
    ) {
        let root = reading.root
        let text = Sourced(SlackText.plain(written.value), at: written.places)
        if let first = found.texts.first {
            guard first.value == text.value else { return }
            found.texts[0].places += text.places
            noteEscapes(written, text.value, &reading)
            return
        }
        found.texts = [text]
        if root.stated("mrkdwn")?.bool == false {
            reading.imply(root, "mrkdwn")
            noteEscapes(written, text.value, &reading)
        } else if Markup.isSlack(written.value) {
            reading.losses.note(
                .changed, at: text.places, "Texts have no markup; its marks stay as written.")
        } else {
            noteEscapes(written, text.value, &reading)
        }
    }

    /// Notes a text that shows the same as what we write for it, and is written otherwise.
    private static func noteEscapes(
        _ written: Sourced<String>, _ plain: String, _ reading: inout Reading
    ) {
        guard SlackText.escaped(plain) != written.value else { return }
        reading.lossesOfKept.note(
            .changed, at: written.places, "The signs &, < and > in it are written as escapes.")
    }

    private static func read(
        _ block: JSONValue, _ found: inout Found, _ reading: inout Reading
    ) {
        switch block.stated("type")?.string {
        case "header":
            guard let text = text(block.stated("text"), &reading) else { return }
            reading.losses.note(
                .changed, at: [block.pointer.appending("type")],
                "A heading becomes the title.")
            found.texts.append(text)
        case "section":
            let text = text(block.stated("text"), &reading)
            if text != nil { reading.imply(block, "type") }
            guard let accessory = block.stated("accessory") else {
                found.texts += text.map { [$0] } ?? []
                return
            }
            if read(accessory, title: text, at: block, &found, &reading) {
                reading.imply(block, "type")
                return
            }
            found.texts += text.map { [$0] } ?? []
        case "context":
            let texts = block.list("elements").compactMap { self.text($0, &reading) }
            if !texts.isEmpty { reading.imply(block, "type") }
            found.texts += texts
        case "actions":
            var buttons = Section(choices: [], place: block.pointer)
            for (place, element) in block.list("elements").enumerated() {
                if let choice = button(element, at: place, &found, &reading) {
                    buttons.choices.append(choice)
                } else if read(element, title: nil, at: element, &found, &reading) {
                    reading.imply(block, "type")
                }
            }
            if !buttons.choices.isEmpty || found.address != nil { reading.imply(block, "type") }
            found.sections.append(buttons)
        default: return
        }
    }

    /// A button that sends a value is an answer; one that opens an address is the link.
    ///
    /// - Parameter place: among the elements of a row; nil for a button beside a text.
    private static func button(
        _ element: JSONValue, at place: Int?, _ found: inout Found, _ reading: inout Reading
    ) -> Choice? {
        guard element.stated("type")?.equals("button") == true else { return nil }
        let label = text(element.stated("text"), &reading)
        if let address = element.text("url") {
            if found.address == nil {
                found.address = address
                reading.imply(element, "type")
                reading.imply(element, "action_id", equal: "open")
            }
            return nil
        }
        reading.imply(element, "type")
        let identifier = element.text("value")
        if identifier == nil, let name = element["action_id"] {
            reading.losses.note(
                .changed, at: [name.pointer], "Without a value it is the answer's identifier.")
        }
        if identifier != nil, let place {
            reading.imply(element, "action_id", equal: "choice-\(place + 1)")
        }
        return reading.choice(
            element, identifier: identifier ?? element.text("action_id"), title: label)
    }

    /// Reads a menu's options as a section; false for an element without options.
    private static func read(
        _ element: JSONValue, title: Sourced<String>?, at block: JSONValue,
        _ found: inout Found, _ reading: inout Reading
    ) -> Bool {
        if let choice = button(element, at: nil, &found, &reading) {
            found.isQuick = false
            found.sections.append(
                Section(title: title, choices: [choice], place: block.pointer))
            return true
        }
        guard let type = element.stated("type"),
            element.stated("options") != nil || element.stated("option_groups") != nil
        else { return false }
        found.isQuick = false
        let isMultiple = type.equals("multi_static_select") || type.equals("checkboxes")
        if type.equals("static_select") { reading.imply(element, "type") }
        if !isMultiple, !type.equals("static_select") {
            reading.losses.note(.changed, at: [type.pointer], "It becomes rows of a list.")
        }
        if type.equals("checkboxes") {
            reading.losses.note(.changed, at: [type.pointer], "It becomes rows of a list.")
        }
        let multiple = isMultiple ? Sourced(true, at: [type.pointer]) : nil
        let groups = element.list("option_groups")
        for group in groups {
            found.sections.append(
                Section(
                    title: text(group.stated("label"), &reading), isMultiple: multiple,
                    choices: options(group, &reading), place: group.pointer))
        }
        if groups.isEmpty {
            found.sections.append(
                Section(
                    title: title, isMultiple: multiple, choices: options(element, &reading),
                    place: block.pointer))
        } else {
            found.texts += title.map { [$0] } ?? []
            reading.losses.note(
                .changed, at: [element.pointer.appending("option_groups")],
                "Groups of options become sections.")
        }
        return true
    }

    private static func options(_ holder: JSONValue, _ reading: inout Reading) -> [Choice] {
        var choices: [Choice] = []
        for option in holder.list("options") {
            if let choice = reading.choice(
                option, identifier: option.text("value"),
                title: text(option.stated("text"), &reading),
                subtitle: text(option.stated("description"), &reading))
            {
                choices.append(choice)
            }
        }
        return choices
    }

    /// The words of a text object.
    private static func text(
        _ object: JSONValue?, _ reading: inout Reading
    ) -> Sourced<String>? {
        guard let object, var words = object.text("text"), let type = object.stated("type")
        else { return nil }
        let plain = SlackText.plain(words.value)
        if type.equals("mrkdwn") {
            reading.losses.note(
                .changed, at: [type.pointer], "Texts have no markup; its marks stay as written.")
        } else {
            reading.imply(object, "type")
        }
        noteEscapes(words, plain, &reading)
        words.value = plain
        return words
    }
}
