import DeskJSON

/// What has to hold of the schema compiler and the evaluator; a breach traps.
public enum SchemaCheck {
    /// Reads a schema, a zero byte and an instance; compiles, judges both ways, compares.
    public static func run(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        var library = SchemaLibrary()
        do throws(SchemaError) {
            try library.register(Array(parts[0]), at: "test:schema")
            let schema = try library.compile("test:schema")
            judge(parts.count > 1 ? Array(parts[1]) : Array(parts[0]), by: schema)
        } catch {
            precondition(error.sentence.hasSuffix("."), "a refusal has no sentence")
        }
    }

    private static func judge(_ bytes: [UInt8], by schema: JSONSchema) {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: bytes)
            let isValid = schema.isValid(document.root)
            let plain = schema.isValidStepByStep(document.root)
            precondition(isValid == plain, "the quick verdict is not the slow one")
            let findings = schema.findings(document.root)
            precondition(isValid == findings.isEmpty, "verdict and findings disagree")
            for finding in findings {
                precondition(finding.range.upperBound <= bytes.count)
                precondition(!finding.allowed.isEmpty && !finding.found.isEmpty)
            }
        } catch {
            return
        }
    }
}

/// What has to hold of patterns; a breach traps.
public enum PatternCheck {
    /// Reads a pattern, a zero byte and a text; the table and the engine have to agree.
    public static func run(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = String(decoding: parts[0], as: UTF8.self)
        let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : pattern
        var library = SchemaLibrary()
        let schema: JSONSchema
        do throws(SchemaError) {
            try library.register((["pattern": .string(pattern)] as JSON).bytes(), at: "test:p")
            schema = try library.compile("test:p")
        } catch {
            let isKnown = [.badPattern, .unsupportedPattern].contains(error.code)
            precondition(isKnown, "a pattern was refused as \(error.code)")
            return
        }
        do throws(JSONError) {
            let document = try JSONDocument(parsing: JSON.string(text).bytes())
            let isMatch = schema.isValid(document.root)
            precondition(
                isMatch == schema.isValidStepByStep(document.root),
                "the table and the engine disagree")
        } catch {
            preconditionFailure("a written string is no JSON")
        }
    }
}
