import DeskJSON
import DeskMessages
import DeskModel
import DeskTranslate
import TestSupport
import Testing

/// What the tests of translations share.
enum Translating {
    /// The moment of judgement for all examples: 2026-06-01T00:00:00Z.
    static let now = Timestamp(milliseconds: 1_780_272_000_000)

    static let translator = Translator(
        rulebook: TestFiles.rulebook, requestIdentifier: "9c1b2f5e-1111-4a6b-9d0a-0000000000ff",
        now: now)

    /// Every shape but ours.
    static let vendors = Shape.allCases.filter { $0 != .messagesForBusiness }

    /// The messages of Schemas/examples/outbound, valid or not, by their path in it.
    static let examples: [(name: String, text: [UInt8])] = TestFiles.names(
        "Schemas/examples/outbound"
    ).sorted().filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }.compactMap {
        name in
        TestFiles.text(name).map { (name, Array($0.utf8)) }
    }

    /// A translation; nil where there is none.
    static func translate(_ text: [UInt8], _ from: Shape, _ to: Shape) -> Translation? {
        // Safe: a test that needs the error asks for it.
        try? translator.translate(text, from: from, to: to)
    }

    static func translate(_ text: String, _ from: Shape, _ to: Shape) throws -> Translation {
        try translator.translate(Array(text.utf8), from: from, to: to)
    }
}

/// A message and what came back after it was translated there and back.
struct RoundTrip {
    let there: Translation
    let back: Translation

    /// Nil where there is no way there.
    init?(_ text: [UInt8], _ from: Shape, _ to: Shape) throws {
        guard let there = Translating.translate(text, from, to) else { return nil }
        self.there = there
        back = try Translating.translator.translate(
            there.result.bytes(), from: to, to: from)
    }

    /// What is not as it was, though no finding says so.
    func unsaid() throws -> [String] {
        let returned = try JSONDocument(parsing: back.result.bytes())
        var homes: [JSONPointer: [JSONPointer]] = [:]
        for (place, middle) in back.origins {
            for source in middle.flatMap({ there.origins[$0] ?? [] }) {
                homes[source, default: []].append(place)
            }
        }
        var unsaid: [String] = []
        for (place, value) in Self.leaves(there.source.root) {
            let isBack = (homes[place] ?? []).contains { home in
                Self.names(home) == Self.names(place)
                    && returned.find(home).map { Self.equal($0, value) } == true
            }
            let isSame = ([place] + beside(place, homes)).contains { home in
                returned.find(home).map { Self.equal($0, value) } == true
            }
            guard !isBack, !isSame, !isSaid(place) else { continue }
            unsaid.append("\(place): \(value.rawText.prefix(60)) -> \(homes[place] ?? [])")
        }
        for (place, _) in Self.leaves(returned.root) where back.origins[place] == nil {
            unsaid.append("\(place) came from nowhere")
        }
        return unsaid + misplaced(returned)
    }

    /// Where a value would be that is written anew, such as a number of an order: beside what comes from
    /// the same part.
    private func beside(
        _ place: JSONPointer, _ homes: [JSONPointer: [JSONPointer]]
    ) -> [JSONPointer] {
        let steps = place.tokens
        let part = Array(steps.dropLast())
        guard let name = steps.last, part.last.flatMap({ Int($0) }) != nil else { return [] }
        return homes.filter { $0.key.tokens.starts(with: part) }.flatMap(\.value).compactMap {
            home in
            let there = Array(home.tokens.prefix(part.count))
            guard there.count == part.count,
                Self.names(JSONPointer(there)) == Self.names(JSONPointer(part))
            else { return nil }
            return JSONPointer(there + [name])
        }
    }

    /// Answers that come back in another order.
    private func misplaced(_ returned: JSONDocument) -> [String] {
        var last = -1
        var found: [String] = []
        for (place, _) in Self.leaves(returned.root)
        where ["identifier", "id", "callback_data", "postbackData"].contains(
            place.tokens.last ?? "")
        {
            let sources = (back.origins[place] ?? []).flatMap { there.origins[$0] ?? [] }
            guard let source = sources.first, let node = there.source.find(source) else { continue }
            let start = node.range.lowerBound
            if start < last, !there.losses.contains(where: { $0.pointer.tokens.last == "order" }) {
                found.append("\(place) is before what was before it")
            }
            last = start
        }
        return found
    }

    /// Whether a finding of either way is about the place or what it is in.
    private func isSaid(_ place: JSONPointer) -> Bool {
        let steps = place.tokens
        if there.losses.contains(where: { steps.starts(with: $0.pointer.tokens) }) { return true }
        return back.losses.contains { loss in
            let middle = loss.pointer.tokens
            return there.origins.contains { at, sources in
                at.tokens.starts(with: middle)
                    && sources.contains { steps.starts(with: $0.tokens) }
            }
        }
    }

    /// The values that hold no others and say something, with their places.
    static func leaves(
        _ node: JSONValue, at place: JSONPointer = JSONPointer()
    ) -> [(JSONPointer, JSONValue)] {
        switch node.kind {
        case .object:
            node.members.flatMap { leaves($0.value, at: place.appending($0.key)) }
        case .array:
            node.elements.enumerated().flatMap { leaves($1, at: place.appending($0)) }
        case .null: []
        case .boolean, .number, .string: node.equals("") ? [] : [(place, node)]
        }
    }

    private static func names(_ place: JSONPointer) -> [String] {
        place.tokens.filter { Int($0) == nil }
    }

    private static func equal(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let text = left.stringBytes { return text == right.stringBytes }
        return left.kind == right.kind && left.rawText == right.rawText
    }
}
