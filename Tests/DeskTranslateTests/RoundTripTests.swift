import DeskJSON
import DeskMessages
import DeskModel
import DeskTranslate
import TestSupport
import Testing

struct RoundTripTests {
    @Test(arguments: Translating.vendors)
    func `of every example what comes back is equal, or each difference is a finding`(
        _ shape: Shape
    ) throws {
        var count = 0
        for example in Translating.examples {
            guard let trip = try RoundTrip(example.text, .messagesForBusiness, shape) else {
                continue
            }
            count += 1
            let unsaid = try trip.unsaid()
            #expect(unsaid == [], "\(example.name)")
        }
        #expect(count >= 100)
    }

    @Test(arguments: Translating.vendors)
    func `the same holds for messages of the other shapes`(_ shape: Shape) throws {
        var count = 0
        for example in Translating.examples {
            guard
                let theirs = Translating.translate(example.text, .messagesForBusiness, shape),
                let trip = try RoundTrip(theirs.result.bytes(), shape, .messagesForBusiness)
            else { continue }
            count += 1
            let unsaid = try trip.unsaid()
            #expect(unsaid == [], "\(example.name)")
        }
        #expect(count >= 100)
    }

    @Test(arguments: Translating.vendors)
    func `and for the examples that the schemas of the other shapes have`(_ shape: Shape) throws {
        let folder = "Schemas/examples/\(try #require(shape.schema))/valid-"
        let names = TestFiles.names("Schemas/examples/vendor").filter { $0.hasPrefix(folder) }
        for name in names where !name.hasSuffix(".expected.json") {
            let text = Array(try #require(TestFiles.text(name)).utf8)
            let trip = try #require(try RoundTrip(text, shape, .messagesForBusiness))
            let unsaid = try trip.unsaid()
            #expect(unsaid == [], "\(name)")
            #expect(trip.back.findings.map(\.sentence) == [], "\(name)")
            #expect(trip.there.findings.filter { $0.severity == .error } == [], "\(name)")
        }
        #expect(names.count >= 3)
    }

    @Test(arguments: Translating.vendors)
    func `results keep the limits of their shape, from any shape to any other`(
        _ shape: Shape
    ) throws {
        for example in Translating.examples {
            guard
                let theirs = Translating.translate(example.text, .messagesForBusiness, shape)
            else { continue }
            #expect(theirs.findings.map(\.sentence) == [], "\(example.name)")
            let text = theirs.result.bytes()
            for other in Shape.allCases where other != shape {
                let next = try Translating.translator.translate(text, from: shape, to: other)
                let errors = next.findings.filter { $0.severity == .error }
                #expect(errors.map(\.sentence) == [], "\(example.name) to \(other)")
            }
        }
    }

    @Test(arguments: Translating.vendors)
    func `of mutated examples too`(_ shape: Shape) throws {
        let seed: UInt64 = 20_261_125
        var random = SeededRandom(seed: seed)
        var count = 0
        for example in Translating.examples {
            guard let root = try? JSONDocument(parsing: example.text).root else { continue }
            for round in 0..<14 {
                var tree = Mutation.bare(JSON(root))
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    tree = Mutation.mutate(tree, &random)
                }
                guard let trip = try RoundTrip(tree.bytes(), .messagesForBusiness, shape) else {
                    continue
                }
                count += 1
                let about = "seed \(seed), \(example.name), round \(round): \(tree.text())"
                let unsaid = try trip.unsaid()
                #expect(unsaid == [], "\(about)")
                #expect(trip.there.findings.map(\.sentence) == [], "\(about)")
                let errors = trip.back.findings.filter { $0.severity == .error }
                #expect(errors.map(\.sentence) == [], "\(about)")
            }
        }
        #expect(count >= 300, "seed \(seed)")
    }
}

/// Changes a message as people and programs do.
enum Mutation {
    private static let words = [
        "", " ", "a", "\u{1F469}\u{200D}\u{1F373}", "a & b <c>", "line\nline", " x ", "choice-1",
        String(repeating: "long ", count: 30), String(repeating: "\u{65E5}\u{672C}", count: 40),
        String(repeating: "0123456789", count: 500),
    ]

    /// The message without its envelope, which is filled in.
    static func bare(_ tree: JSON) -> JSON {
        guard case .object(let members) = tree else { return tree }
        return .object(members.filter { !["v", "id", "sourceId", "destinationId"].contains($0.0) })
    }

    /// The tree with one value changed, removed or repeated.
    static func mutate(_ tree: JSON, _ random: inout SeededRandom) -> JSON {
        switch tree {
        case .object(var members) where !members.isEmpty:
            let place = Int.random(in: 0..<members.count, using: &random)
            if Int.random(in: 0..<12, using: &random) == 0 {
                members.remove(at: place)
            } else {
                members[place].1 = mutate(members[place].1, &random)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty:
            let place = Int.random(in: 0..<elements.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: elements.remove(at: place)
            case 1:
                let copies = Int.random(in: 1...15, using: &random)
                elements += Array(repeating: elements[place], count: copies)
            case 2: elements.swapAt(0, place)
            default: elements[place] = mutate(elements[place], &random)
            }
            return .array(elements)
        case .string: return .string(words.randomElement(using: &random) ?? "")
        case .bool(let value): return .bool(!value)
        case .integer, .number: return .integer(Int.random(in: 0...9, using: &random))
        case .object, .array, .null, .raw: return tree
        }
    }
}
