import APITestSupport
import DeskJSON
import DeskModel
import Foundation
import TestSupport
import Testing

/// What docs/openapi.json says in words and in names, which pages and code generators are made of.
struct OpenAPIWordTests {
    /// The file as it is: the check of answers works with one that it has closed itself.
    private static let root: JSONValue? = {
        // Safe: a file that cannot be read has no operations, and the tests below find none.
        let text = TestFiles.text("docs/openapi.json") ?? ""
        return try? JSONDocument(parsing: Array(text.utf8), limits: .unlimited).root
    }()

    private static var operations: [JSONValue] {
        OpenAPICheck.shared.operations.compactMap {
            Self.root?["paths"]?[$0.path]?[$0.method.lowercased()]
        }
    }

    @Test func `every parameter, body and answer is described, an answer not by the summary`() {
        #expect(Self.operations.count > 190)
        for operation in Self.operations {
            let name = operation["operationId"]?.string ?? ""
            for parameter in operation["parameters"]?.elements.map({ $0 }) ?? [] {
                let parameterName = parameter["name"]?.string ?? ""
                #expect(isDescribed(parameter), "\(name) \(parameterName)")
            }
            if let body = operation["requestBody"] { #expect(isDescribed(body), "\(name)") }
            let summary = operation["summary"]?.string
            for answer in operation["responses"]?.members.map({ $0 }) ?? []
            where answer.value["$ref"] == nil {
                #expect(isDescribed(answer.value), "\(name) \(answer.key)")
                #expect(answer.value["description"]?.string != summary, "\(name) \(answer.key)")
            }
        }
    }

    @Test func `every inline object has a name of its own, so that no generator numbers it`() throws
    {
        let schemas = try #require(Self.root?["components"]?["schemas"])
        var names = schemas.members.map(\.key)
        for schema in schemas.members {
            collect(schema.value, at: schema.key, isNamed: true, into: &names)
        }
        for operation in Self.operations {
            let name = operation["operationId"]?.string ?? ""
            for media in contents(of: operation) {
                guard let schema = media["schema"] else { continue }
                collect(schema, at: name, isNamed: false, into: &names)
            }
        }
        #expect(names.count > 250)
        let repeated = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
        #expect(repeated.sorted() == [])
    }

    @Test func `an object of any members says so, so that generated models keep them`() throws {
        var open = 0
        visit(try #require(Self.root)) { value, place in
            guard isObject(value), value["properties"] == nil, value["oneOf"] == nil else { return }
            #expect(value["additionalProperties"] != nil, "\(place)")
            open += 1
        }
        #expect(open > 30)
    }

    private func isDescribed(_ value: JSONValue) -> Bool {
        (value["description"]?.string ?? "").count > 5
    }

    private func isObject(_ value: JSONValue) -> Bool {
        guard let type = value["type"] else { return false }
        return type.equals("object") || type.elements.contains { $0.equals("object") }
    }

    /// Whether it is one of several words.
    private func isEnumeration(_ value: JSONValue) -> Bool {
        value["enum"]?.elements.contains { $0.kind == .string } ?? false
    }

    private func contents(of operation: JSONValue) -> [JSONValue] {
        var owners = operation["requestBody"].map { [$0] } ?? []
        for answer in operation["responses"]?.members.map({ $0 }) ?? [] {
            owners.append(answer.value)
        }
        return owners.flatMap { owner in
            owner["content"]?.members.map { $0.value } ?? []
        }
    }

    /// Collects the titles of a schema's inline objects with members, and notes those without.
    private func collect(
        _ schema: JSONValue, at place: String, isNamed: Bool, into names: inout [String]
    ) {
        if schema["properties"] != nil || isEnumeration(schema), !isNamed {
            #expect(schema["title"] != nil, "\(place)")
            if let title = schema["title"]?.string { names.append(title) }
        }
        for member in schema["properties"]?.members.map({ $0 }) ?? [] {
            collect(member.value, at: "\(place)/\(member.key)", isNamed: false, into: &names)
        }
        for inner in ["items", "additionalProperties"] {
            guard let value = schema[inner] else { continue }
            collect(value, at: "\(place)/\(inner)", isNamed: false, into: &names)
        }
        for choice in ["oneOf", "anyOf", "allOf"] {
            for value in schema[choice]?.elements.map({ $0 }) ?? [] {
                collect(value, at: "\(place)/\(choice)", isNamed: false, into: &names)
            }
        }
    }

    /// Calls with every value outside of examples.
    private func visit(
        _ value: JSONValue, at place: String = "", _ call: (JSONValue, String) -> Void
    ) {
        call(value, place)
        for member in value.members where !["example", "examples"].contains(member.key) {
            visit(member.value, at: "\(place)/\(member.key)", call)
        }
        for element in value.elements { visit(element, at: "\(place)/-", call) }
    }
}
