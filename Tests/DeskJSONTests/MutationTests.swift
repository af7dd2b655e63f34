import DeskJSON
import TestSupport
import Testing

/// Schemas, patterns and instances changed by chance: refused or judged, never a trap.
struct MutationTests {
    private static let schema = """
        {"$defs": {"a": {"type": ["string", "integer"], "maxLength": 3, "pattern": "^[a-c]+\\\\d?$"}},
         "properties": {"x": {"$ref": "#/$defs/a"}, "y": {"prefixItems": [true], "items": false,
         "contains": {"const": 1}, "uniqueItems": true}, "z": {"enum": [1, "b", null, {"k": [0.5]}]}},
         "patternProperties": {"^p": {"minimum": -1.5, "multipleOf": 0.1}},
         "anyOf": [{"required": ["x"]}, {"minProperties": 2}, {"not": {"type": "object"}}],
         "if": {"required": ["y"]}, "then": {"maxProperties": 3}, "unevaluatedProperties": false,
         "dependentRequired": {"y": ["x"]}, "propertyNames": {"format": "hostname"}}
        """
    private static let instance = """
        {"x": "ab1", "y": [1, 2.0, 1e0], "z": {"k": [5e-1]}, "p\\u0031": -0.3, "q": {"x": [null]}}
        """

    @Test func `verdict and findings agree on whatever can be parsed`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var compiled = 0
        var judged = 0
        for round in 0..<3_000 {
            let text = Self.mutated(Self.schema, &random)
            var library = SchemaLibrary()
            do throws(SchemaError) {
                try library.register(text, at: "test:schema")
                let schema = try library.compile("test:schema")
                compiled += 1
                for _ in 0..<4 {
                    do throws(JSONError) {
                        let document = try JSONDocument(
                            parsing: Self.mutated(Self.instance, &random))
                        let isValid = schema.isValid(document.root)
                        let findings = schema.findings(document.root)
                        #expect(isValid == findings.isEmpty, "seed \(seed), round \(round)")
                        for finding in findings {
                            #expect(finding.range.upperBound <= document.bytes.count)
                        }
                        judged += 1
                    } catch {
                        continue
                    }
                }
            } catch {
                #expect(!error.sentence.isEmpty)
            }
        }
        #expect(compiled > 0 && judged > 0, "seed \(seed)")
    }

    @Test func `a mutated pattern is refused when it is compiled or runs`() {
        let pattern =
            #"^(?<n>[\w\-\]^]{1,3}|\p{Lu}\u{1F600}\uD83D\uDE00\cA(?:a|b)*?)+[^\s\D]$"#
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var compiled = 0
        for _ in 0..<5_000 {
            var library = SchemaLibrary()
            let text = String(decoding: Self.mutated(pattern, &random), as: UTF8.self)
            do throws(SchemaError) {
                try library.register((["pattern": .string(text)] as JSON).bytes(), at: "test:p")
                _ = try library.compile("test:p")
                compiled += 1
            } catch {
                let isKnown = [.badPattern, .unsupportedPattern].contains(error.code)
                #expect(isKnown, "seed \(seed): \(text)")
            }
        }
        #expect(compiled > 100, "seed \(seed)")
    }

    private static func mutated(_ text: String, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let other = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[other], at: place)
            case 3: bytes[place] = bytes[other]
            default:
                let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: other)
            }
        }
        return bytes
    }
}
