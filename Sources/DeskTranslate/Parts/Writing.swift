import DeskJSON

/// One writing of a message in a shape: its limits, and what does not fit.
struct Writing: Sendable {
    let shape: Shape
    var losses = Losses()

    init(_ shape: Shape) { self.shape = shape }

    /// A text of at most so many characters, cut with a finding where it is longer.
    ///
    /// - Parameters:
    ///   - unit: how the vendor counts this text, where it is not as others.
    ///   - sent: what a piece of the text becomes before the vendor counts it.
    mutating func cut(
        _ text: Sourced<String>, to limit: Int, _ what: String, unit: Unit? = nil,
        as sent: (String) -> String = { $0 }
    ) -> Sourced<String> {
        let unit = unit ?? shape.unit
        let count = unit.count(sent(text.value))
        guard count > limit else { return text }
        losses.note(
            .shortened, at: text.places,
            "\(what) in \(shape.name) has at most \(limit) \(unit.words).", limit: limit,
            actual: count)
        let mark = "\u{2026}"
        var left = limit - unit.count(mark)
        var kept = ""
        for character in text.value {
            let size = unit.count(sent(String(character)))
            guard size <= left else { break }
            left -= size
            kept.append(character)
        }
        return Sourced(kept + mark, at: text.places)
    }

    /// Answers with identifiers that fit and differ; those that do not are replaced, with a finding.
    ///
    /// - Parameter isTrimmed: whether the vendor refuses a space at an end.
    mutating func identified(
        _ choices: [Choice], limit: Int, unit: Unit? = nil, isTrimmed: Bool = false
    ) -> [Choice] {
        let unit = unit ?? shape.unit
        var seen: Set<String> = []
        var reasons: [String?] = []
        // What fits is known first, so that it is kept behind a replacement of the same name.
        for choice in choices {
            var reason = misfit(choice.identifier, limit, unit, isTrimmed)
            if reason == nil, !seen.insert(choice.identifier.value).inserted {
                reason = "Identifiers differ in \(shape.name)"
            }
            reasons.append(reason)
        }
        var identified = choices
        for (index, reason) in reasons.enumerated() {
            guard let reason else { continue }
            let choice = choices[index]
            var number = index + 1
            while !seen.insert("choice-\(number)").inserted { number += choices.count }
            let count = unit.count(choice.identifier.value)
            losses.note(
                .changed,
                at: choice.identifier.places.isEmpty ? [choice.place] : choice.identifier.places,
                "\(reason); this one is choice-\(number) there.",
                limit: count > limit ? limit : nil, actual: count > limit ? count : nil)
            identified[index].identifier = Sourced(
                "choice-\(number)", at: choice.identifier.places)
        }
        return identified
    }

    /// Why an identifier does not fit; nil where it does.
    private func misfit(
        _ identifier: Sourced<String>, _ limit: Int, _ unit: Unit, _ isTrimmed: Bool
    ) -> String? {
        let text = identifier.value
        if unit.count(text) > limit {
            return "An identifier in \(shape.name) has at most \(limit) \(unit.words)"
        }
        if identifier.isBlank { return "An identifier in \(shape.name) is not blank" }
        // Scalar by scalar: with a mark that combines behind it, a space is part of another character.
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        if isTrimmed, ends.contains(where: { $0?.properties.isWhitespace == true }) {
            return "An identifier in \(shape.name) has no space at its ends"
        }
        return nil
    }

    /// The first so many answers; a finding for each further one.
    mutating func first(_ limit: Int, of choices: [Choice], _ what: String) -> [Choice] {
        for choice in choices.dropFirst(limit) {
            losses.note(
                .dropped, at: [choice.place],
                "\(what) in \(shape.name) has at most \(limit) answers.", limit: limit,
                actual: choices.count)
        }
        return Array(choices.prefix(limit))
    }

    /// The sections that have answers, with the first so many of those; a finding for each further one, and for a section
    /// of which none is left that one alone.
    mutating func first(_ limit: Int, of choices: Choices, _ what: String) -> Choices {
        let count = choices.all.count
        var kept = choices
        kept.sections = []
        var left = limit
        for section in choices.sections where !section.choices.isEmpty {
            let beyond = left > 0 ? section.choices.dropFirst(left).map(\.place) : [section.place]
            for place in beyond {
                losses.note(
                    .dropped, at: [place],
                    "\(what) in \(shape.name) has at most \(limit) answers.", limit: limit,
                    actual: count)
            }
            guard left > 0 else { continue }
            var part = section
            part.choices = Array(section.choices.prefix(left))
            left -= part.choices.count
            kept.sections.append(part)
        }
        return kept
    }

    /// Notes that only one answer can be chosen where several might.
    mutating func single(_ choices: Choices) {
        for section in choices.sections where section.isMultiple?.value == true {
            losses.note(
                .changed, at: section.isMultiple?.places ?? [],
                "In \(shape.name) one answer is chosen; several may be in the source.")
        }
    }

    /// All answers without their sections, with findings for what the sections said.
    mutating func flat(_ choices: Choices) -> [Choice] {
        single(choices)
        let parts = choices.sections.filter { !$0.choices.isEmpty }
        for section in parts.dropFirst() {
            losses.note(
                .changed, at: [section.place],
                "\(shape.name) has no sections here; the answers follow those of the one before.")
        }
        return choices.all
    }

    /// Notes that what comes back is another thing.
    mutating func becomes(_ what: String, _ choices: Choices) {
        losses.note(.changed, at: choices.places, "It is \(what) in \(shape.name).")
    }

    /// Title and subtitle as one text, for shapes that have one.
    mutating func joined(_ choices: Choices) -> Sourced<String> {
        let lines = [choices.title, choices.subtitle].compactMap { $0 }
        if lines.count > 1 {
            losses.note(
                .changed, at: lines.flatMap(\.places),
                "\(shape.name) has one text here; title and subtitle are its lines.")
        }
        return .lines(lines) ?? question(choices)
    }

    /// What is asked where the source asks nothing: the answers in one line.
    func question(_ choices: Choices) -> Sourced<String> {
        Sourced(String(choices.all.map(\.title.value).joined(separator: " / ").prefix(160)))
    }
}
