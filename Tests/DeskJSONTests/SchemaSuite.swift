import DeskJSON
import Testing

/// Runs files of the JSON Schema test suite.
struct SchemaSuite {
    private(set) var passed = 0
    private(set) var failed: [String] = []

    /// Runs the files below a folder of the draft; nil when the suite is absent.
    static func run(
        _ folder: String, formats: SchemaFormats, isPart: (String) -> Bool
    ) throws -> SchemaSuite? {
        let root = "json-schema-test-suite/"
        let path = root + "draft2020-12/" + folder
        guard let files = ConformanceFolder.files(in: path, cases: "its cases"),
            let remotes = ConformanceFolder.files(in: root + "remotes", cases: "its cases")
        else { return nil }
        var library = SchemaLibrary()
        for (name, bytes) in remotes {
            // Of the older drafts, where $id has another meaning, only what is referred to.
            let isOlder = ["draft3/", "draft4/", "draft6/", "draft7/", "v1/"].contains {
                name.hasPrefix($0)
            }
            guard !isOlder || name == "draft7/ignore-dependentRequired.json" else { continue }
            try library.register(bytes, at: "http://localhost:1234/" + name)
        }
        var suite = SchemaSuite()
        for (name, bytes) in files where isPart(name) {
            let groups = try JSONDocument(parsing: bytes, limits: .unlimited)
            for group in groups.root.elements {
                suite.run(group, file: folder + name, library: library, formats: formats)
            }
        }
        return suite
    }

    private mutating func run(
        _ group: JSONValue, file: String, library: SchemaLibrary, formats: SchemaFormats
    ) {
        let title = "\(file): \(group["description"]?.string ?? "")"
        guard let source = group["schema"], let tests = group["tests"] else { return }
        var library = library
        let schema: JSONSchema
        do throws(SchemaError) {
            try library.register(Array(source.rawBytes), at: "test:case")
            schema = try library.compile("test:case", formats: formats)
        } catch {
            failed += tests.elements.map { _ in "\(title): \(error)" }
            return
        }
        for test in tests.elements {
            guard let data = test["data"], let isValid = test["valid"]?.bool else { continue }
            let verdict = schema.isValid(data)
            let hasFindings = !schema.findings(data).isEmpty
            if verdict == isValid, hasFindings == !isValid {
                passed += 1
            } else {
                let kind = verdict == isValid ? "findings" : "verdict"
                failed.append("\(title): \(test["description"]?.string ?? ""): \(kind)")
            }
        }
    }
}
