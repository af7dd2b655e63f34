import DeskHTTP
package import DeskJSON
import Foundation
import Synchronization
import TestSupport
package import Testing

/// Holds answers against docs/openapi.json: status, media type and JSON of each.
///
/// Objects may grow members for clients; here one that is not described is a failure.
package final class OpenAPICheck: Sendable {
    package static let shared = OpenAPICheck()

    private static let base = "https://frontdesk.test/openapi.json"
    package let document: JSONDocument
    private let library: SchemaLibrary
    private let compiled = Mutex<[String: JSONSchema]>([:])

    private init() {
        let path = TestFiles.root + "/docs/openapi.json"
        guard let data = FileManager.default.contents(atPath: path),
            let document = try? JSONDocument(parsing: [UInt8](data), limits: .unlimited)
        else { preconditionFailure("docs/openapi.json cannot be read") }
        let strict = OpenAPICheck.closed(JSON(document.root)).bytes()
        var library = SchemaLibrary()
        do {
            self.document = try JSONDocument(parsing: strict, limits: .unlimited)
            try library.register(strict, at: OpenAPICheck.base)
        } catch {
            preconditionFailure("docs/openapi.json is no document of schemas: \(error)")
        }
        self.library = library
    }

    /// Every operation: method, path and name.
    package var operations: [(method: String, path: String, name: String)] {
        guard let paths = document.root["paths"] else { return [] }
        return paths.members.flatMap { path in
            path.value.members.map { item in
                (item.key.uppercased(), path.key, item.value["operationId"]?.string ?? "")
            }
        }
    }

    /// The names of an operation's parameters in the query, in their order.
    package func queryNames(of operation: String) -> [String] {
        guard let found = operations.first(where: { $0.name == operation }),
            let parameters = document.root["paths"]?[found.path]?[found.method.lowercased()]?[
                "parameters"]
        else { return [] }
        return parameters.elements.filter { $0["in"]?.equals("query") == true }
            .compactMap { $0["name"]?.string }
    }

    /// A parameter of an operation; nil where the operation has none of this name.
    package func parameter(_ name: String, of operation: String) -> JSONValue? {
        guard let found = operations.first(where: { $0.name == operation }),
            let item = document.root["paths"]?[found.path]?[found.method.lowercased()]
        else { return nil }
        return item["parameters"]?.elements.first { $0["name"]?.equals(name) == true }
    }

    /// The names of the credentials that an operation accepts; `none` where it is open without one.
    package func credentials(of operation: String) -> Set<String> {
        guard let found = operations.first(where: { $0.name == operation }),
            let security = document.root["paths"]?[found.path]?[found.method.lowercased()]?[
                "security"], security.count > 0
        else { return ["none"] }
        return Set(
            security.elements.flatMap { choice in
                choice.count == 0 ? ["none"] : choice.members.map(\.key)
            })
    }

    /// Notes a failure when an operation does not describe this answer.
    package func check(_ answer: Answer, of operation: String, location: SourceLocation) {
        guard let found = operations.first(where: { $0.name == operation }),
            let item = document.root["paths"]?[found.path]?[found.method.lowercased()]
        else {
            Issue.record("\(operation) is not described", sourceLocation: location)
            return
        }
        let status = String(answer.status)
        guard let stated = item["responses"]?[status] else {
            Issue.record("\(operation) does not describe \(status)", sourceLocation: location)
            return
        }
        let pointer =
            stated["$ref"]?.string.map { String($0.dropFirst()) }
            ?? JSONPointer([
                "paths", found.path, found.method.lowercased(), "responses", status,
            ]).description
        let response = stated["$ref"] == nil ? stated : resolve(pointer) ?? stated
        for header in Self.headers where answer.headers[header.lowercased()] != nil {
            guard response["headers"]?[header] == nil else { continue }
            Issue.record(
                "\(operation) \(status) does not describe \(header)", sourceLocation: location)
        }
        guard let type = answer.headers["content-type"] else { return }
        let name = String(type.prefix { $0 != ";" })
        let isDescribed = response["content"].map { content in
            content.members.contains { Self.covers($0.key, name) }
        }
        guard isDescribed == true else {
            Issue.record(
                "\(operation) \(status) does not describe \(name)", sourceLocation: location)
            return
        }
        let place = pointer + JSONPointer(["content", name, "schema"]).description
        guard name.hasSuffix("json"), let schema = schema(at: place),
            let value = answer.document?.root
        else { return }
        for finding in schema.findings(value) {
            Issue.record(
                "\(operation) \(status) at \(finding.pointer): \(finding.found), \(finding.allowed)",
                sourceLocation: location)
        }
    }

    /// The headers whose every occurrence in an answer is described.
    package static let headers = [
        "Deprecation", "Idempotency-Replayed", "Link", "Preference-Applied", "RateLimit",
        "RateLimit-Policy", "Retry-After", "X-Request-Id", "traceresponse",
    ]

    /// What stands at a pointer; a reference is followed.
    package func resolve(_ pointer: String) -> JSONValue? {
        guard let found = JSONPointer(parsing: pointer).flatMap({ document.find($0) }) else {
            return nil
        }
        return found["$ref"]?.string.flatMap { resolve(String($0.dropFirst())) } ?? found
    }

    /// The members of what stands at a pointer; none where nothing stands there.
    package func members(at pointer: String) -> [(key: String, value: JSONValue)] {
        resolve(pointer)?.members.map { ($0.key, $0.value) } ?? []
    }

    /// The schema at a pointer, closed to members that it does not name.
    package func schema(at place: String) -> JSONSchema? {
        if let known = compiled.withLock({ $0[place] }) { return known }
        let fragment = place.replacing("{", with: "%7B").replacing("}", with: "%7D")
        do {
            let schema = try library.compile(OpenAPICheck.base + "#" + fragment)
            compiled.withLock { $0[place] = schema }
            return schema
        } catch {
            Issue.record("\(place): \(error)")
            return nil
        }
    }

    private static func covers(_ range: String, _ type: String) -> Bool {
        range == "*/*" || range == type
            || (range.hasSuffix("/*") && type.hasPrefix(range.dropLast()))
    }

    /// The document with every object of stated members closed to others.
    static func closed(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            var members = members.map { ($0.0, closed($0.1)) }
            let names = members.map(\.0)
            if names.contains("properties"), !names.contains("additionalProperties") {
                members.append(("additionalProperties", .bool(false)))
            }
            return .object(members)
        case .array(let elements): return .array(elements.map(closed))
        case .string, .integer, .number, .bool, .null, .raw: return json
        }
    }
}
