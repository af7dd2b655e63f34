import APITestSupport
import DeskJSON
import DeskModel
import Testing

/// The examples of docs/openapi.json against their own schemas.
struct OpenAPIExampleTests {
    /// Operations that have no example yet, by name; nothing is left out by any other means.
    private static let withoutExample: Set<String> = []

    /// A body of an operation: that of its request, or of an answer that it describes itself.
    private struct Body {
        let operation: String
        /// The pointer of its media type in the file.
        let place: String
        let media: JSONValue

        /// Bytes of a file or a picture: nothing to show.
        var isBinary: Bool { media["schema"]?["format"]?.equals("binary") == true }
        /// The pages for people, and what is drawn.
        var isPage: Bool { place.hasSuffix("/text~1html") }
    }

    private static let bodies: [Body] = OpenAPICheck.shared.operations.flatMap { operation in
        let item = ["paths", operation.path, operation.method.lowercased()]
        var owners = [item + ["requestBody"]]
        let answers = JSONPointer(item + ["responses"]).description
        for answer in OpenAPICheck.shared.members(at: answers) where answer.value["$ref"] == nil {
            owners.append(item + ["responses", answer.key])
        }
        return owners.flatMap { bodies(of: operation.name, $0) }
    }

    private static func bodies(of operation: String, _ owner: [String]) -> [Body] {
        let content = owner + ["content"]
        var found: [Body] = []
        for type in OpenAPICheck.shared.members(at: JSONPointer(content).description) {
            let place = JSONPointer(content + [type.key]).description
            found.append(Body(operation: operation, place: place, media: type.value))
        }
        return found
    }

    /// The examples of a body with their pointers.
    private func examples(of body: Body) -> [(place: String, value: JSONValue)] {
        if let value = body.media["example"] { return [(body.place + "/example", value)] }
        var found: [(place: String, value: JSONValue)] = []
        for named in OpenAPICheck.shared.members(at: body.place + "/examples") {
            let place = body.place + "/examples/" + named.key
            guard let value = OpenAPICheck.shared.resolve(place)?["value"] else { continue }
            found.append((place, value))
        }
        return found
    }

    @Test func `every operation shows its bodies by examples`() {
        let lacking = Self.bodies.filter {
            !$0.isBinary && !$0.isPage && examples(of: $0).isEmpty
        }
        #expect(Self.bodies.count > 250)
        #expect(Set(lacking.map(\.operation)) == Self.withoutExample)
    }

    @Test func `every example is valid against the schema beside it`() throws {
        var shown = 0
        for body in Self.bodies {
            for example in examples(of: body) {
                let schema = try #require(
                    OpenAPICheck.shared.schema(at: body.place + "/schema"), "\(body.place)")
                for finding in schema.findings(example.value) {
                    Issue.record(
                        """
                        \(body.operation): \(example.place)\(finding.pointer): \(finding.found), \
                        \(finding.allowed)
                        """)
                }
                shown += 1
            }
        }
        #expect(shown > 200)
    }

    @Test func `every parameter shows a value that fits its schema`() throws {
        var shown = 0
        for operation in OpenAPICheck.shared.operations {
            let item = ["paths", operation.path, operation.method.lowercased(), "parameters"]
            let all: [JSONValue] =
                OpenAPICheck.shared.resolve(JSONPointer(item).description)?.elements.map { $0 }
                ?? []
            for (place, parameter) in all.enumerated() {
                let name = "\(operation.name) \(parameter["name"]?.string ?? "")"
                let schema = try #require(
                    OpenAPICheck.shared.schema(
                        at: JSONPointer(item + ["\(place)", "schema"]).description), "\(name)")
                let value = try #require(parameter["example"], "\(name) has no example")
                for finding in schema.findings(value) {
                    Issue.record("\(name): \(finding.found), \(finding.allowed)")
                }
                shown += 1
            }
        }
        #expect(shown > 500)
    }

    @Test func `every body has a schema, so that a generator knows what to read`() {
        for body in Self.bodies { #expect(body.media["schema"] != nil, "\(body.place)") }
    }
}
