/// A pattern as a transition table: one lookup for each byte gives the next state.
///
/// It answers exactly what the engine answers for the same pattern, without its cost a call.
struct PatternTable: Sendable {
    /// Patterns with more states than this are left to the engine.
    private static let mostStates = 255
    /// What a byte counts as.
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    /// For each state a row with, for each class, where the next row starts.
    private(set) var rows: [UInt16] = []
    /// For each state, whether the text may end here.
    private(set) var endings: [Bool] = []
    /// How long a row is.
    private(set) var width = 0
    /// Where the first row starts; the first two rows are of the states that are decided.
    private(set) var first: UInt16 = 0
    /// Whether the empty text matches, where start and end are the same place.
    private(set) var takesEmptyText = false

    /// The table of a translated pattern; nil when it needs the engine.
    init?(_ translated: [UInt8]) {
        guard let tree = PatternReader.read(translated), let graph = PatternGraph(tree) else {
            return nil
        }
        var builder = TableBuilder(graph)
        guard builder.build(most: PatternTable.mostStates) else { return nil }
        classes = builder.classes
        width = builder.width
        endings = builder.endings
        rows = builder.rows.map { UInt16($0 * builder.width) }
        first = UInt16(builder.first * builder.width)
        takesEmptyText = builder.takesEmptyText
    }

    /// Whether the pattern occurs anywhere in the bytes.
    func occurs(in text: [UInt8]) -> Bool {
        guard !text.isEmpty else { return takesEmptyText }
        var row = first
        for byte in text where row > UInt16(width) {
            row = rows[Int(row) + Int(classes[Int(byte)])]
        }
        return endings[Int(row) / width]
    }
}

/// Makes states out of sets of places.
private struct TableBuilder {
    private let graph: PatternGraph
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    private(set) var width = 1
    /// The next state for each state and class.
    private(set) var rows: [Int] = []
    private(set) var endings: [Bool] = []
    private(set) var first = 0
    /// One byte of each class.
    private var samples: [UInt8] = []
    private var sets: [PlaceSet] = []
    private var stateBySet: [PlaceSet: Int] = [:]
    /// The places reachable from a place without a byte, computed on first use.
    private var closures: [PlaceSet?]

    init(_ graph: PatternGraph) {
        self.graph = graph
        closures = Array(repeating: nil, count: graph.steps.count)
        var starts: Set<Int> = [0]
        for case .byte(let range, _) in graph.steps {
            starts.insert(Int(range.lowerBound))
            starts.insert(Int(range.upperBound) + 1)
        }
        width = 0
        for byte in 0..<256 {
            if starts.contains(byte) {
                width += 1
                samples.append(UInt8(byte))
            }
            classes[byte] = UInt8(width - 1)
        }
    }

    /// False when more states would be needed than allowed.
    mutating func build(most: Int) -> Bool {
        // States 0 and 1 are decided: nothing can match any more, and something has.
        let none = PlaceSet(of: graph.steps.count)
        sets = [none, PlaceSet(of: graph.steps.count, holding: [0])]
        stateBySet[none] = 0
        endings = [false, true]
        rows = Array(repeating: 0, count: width) + Array(repeating: 1, count: width)
        first = state(of: closure([graph.first], atStart: true))
        var current = 2
        while current < sets.count {
            guard sets.count <= most else { return false }
            let ways = sets[current].places.compactMap { place in
                if case .byte(let range, let to) = graph.steps[place] { (range, to) } else { nil }
            }
            for sample in samples {
                // A match may start anywhere.
                var targets = closure(graph.first)
                for (range, to) in ways where range.contains(sample) { targets.add(closure(to)) }
                rows.append(state(of: targets))
            }
            current += 1
        }
        return sets.count <= most
    }

    /// The number of the state for a set of places.
    private mutating func state(of set: PlaceSet) -> Int {
        if set.holdsMatch { return 1 }
        if let known = stateBySet[set] { return known }
        let state = sets.count
        sets.append(set)
        stateBySet[set] = state
        endings.append(endsInMatch(set))
        return state
    }

    private mutating func closure(_ place: Int) -> PlaceSet {
        if let known = closures[place] { return known }
        let made = closure([place], atStart: false)
        closures[place] = made
        return made
    }

    /// The places reachable without a byte that consume a byte, match, or wait for the end.
    private func closure(_ places: [Int], atStart: Bool) -> PlaceSet {
        let reached = reachable(from: places, atStart: atStart, atEnd: false).filter { place in
            switch graph.steps[place] {
            case .byte, .ifEnd, .match: true
            case .jump, .ifStart: false
            }
        }
        return PlaceSet(of: graph.steps.count, holding: reached)
    }

    var takesEmptyText: Bool {
        reachable(from: [graph.first], atStart: true, atEnd: true).contains(0)
    }

    private func endsInMatch(_ set: PlaceSet) -> Bool {
        reachable(from: set.places, atStart: false, atEnd: true).contains(0)
    }

    private func reachable(from places: [Int], atStart: Bool, atEnd: Bool) -> [Int] {
        var seen = [Bool](repeating: false, count: graph.steps.count)
        var waiting = places
        while let place = waiting.popLast() {
            guard !seen[place] else { continue }
            seen[place] = true
            switch graph.steps[place] {
            case .byte, .match: break
            case .jump(let targets): waiting += targets
            case .ifStart(let to): if atStart { waiting.append(to) }
            case .ifEnd(let to): if atEnd { waiting.append(to) }
            }
        }
        return seen.indices.filter { seen[$0] }
    }
}

/// Some places of a graph, a bit for each.
private struct PlaceSet: Hashable {
    private var words: [UInt64]

    init(of count: Int, holding places: [Int] = []) {
        words = Array(repeating: 0, count: (count + 63) / 64)
        for place in places { words[place / 64] |= 1 << UInt64(place % 64) }
    }

    /// Whether the first place is among them, where a text has matched.
    var holdsMatch: Bool { words[0] & 1 == 1 }

    /// The places in order.
    var places: [Int] {
        var places: [Int] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                places.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return places
    }

    mutating func add(_ others: PlaceSet) {
        for index in words.indices { words[index] |= others.words[index] }
    }
}
