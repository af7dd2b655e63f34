import DeskJSON
import DeskMessages
import Testing

struct SchemaDescriptionTests {
    @Test(arguments: Corpus.schemas.map(\.name))
    func `every property says what it is, in which unit, and how much of it there may be`(
        _ name: String
    ) throws {
        let root = try #require(Self.roots[name])
        #expect(Self.faults(in: root, of: name, at: "") == [])
    }

    @Test func `a property without its limit is noticed`() throws {
        let bare = #"{"properties":{"a":{"type":"string","description":"A.","maxLength":7}}}"#
        let root = try JSONDocument(parsing: bare).root
        #expect(Self.faults(in: root, of: "", at: "").count == 1)
    }

    private static let roots: [String: JSONValue] = Dictionary(
        uniqueKeysWithValues: Corpus.schemas.compactMap { file in
            (try? JSONDocument(parsing: file.bytes)).map { (file.name, $0.root) }
        })

    private static func faults(in value: JSONValue, of file: String, at place: String) -> [String] {
        var found: [String] = []
        for member in value.members {
            let key = member.key
            if key == "examples" || key == "if" { continue }
            let here = "\(place)/\(key)"
            if key == "properties" {
                for property in member.value.members where property.value.kind == .object {
                    found += complaints(about: property.value, of: file).map {
                        "\(here)/\(property.key) \($0)"
                    }
                }
            }
            found += faults(in: member.value, of: file, at: here)
        }
        for (index, element) in value.elements.enumerated() {
            found += faults(in: element, of: file, at: "\(place)/\(index)")
        }
        return found
    }

    /// What is missing in a property's description.
    private static func complaints(about property: JSONValue, of file: String) -> [String] {
        var (schema, home) = (property, file)
        var words = property["description"]?.string
        for _ in 0..<8 {
            guard let reference = schema["$ref"]?.string else { break }
            guard let target = resolve(reference, from: home) else {
                return ["leads nowhere: \(reference)"]
            }
            (schema, home) = target
            words = words ?? schema["description"]?.string
        }
        guard let words, !words.isEmpty else { return ["has no description"] }
        var missing: [String] = []
        for keyword in ["maxLength", "maxItems", "maximum", "minLength", "minItems", "minimum"] {
            guard let limit = schema[keyword]?.int, limit != 0 else { continue }
            if keyword == "minLength", schema["contentEncoding"] != nil { continue }
            if !states(words, limit) { missing.append("does not say \(keyword) \(limit)") }
        }
        return missing + unbounded(schema, words)
    }

    private static func unbounded(_ schema: JSONValue, _ words: String) -> [String] {
        let saysNone = words.contains("no upper limit") || words.contains("no limit")
        let names = Set(schema.members.map(\.key))
        switch schema["type"]?.string {
        case "string":
            let bounds: Set = ["maxLength", "enum", "const", "pattern"]
            // Pictures are bound by the message they travel in.
            return bounds.isDisjoint(with: names) && !words.contains("4 MiB")
                ? ["has no bound"] : []
        case "array": return names.contains("maxItems") ? [] : ["has no maxItems"]
        case "integer", "number":
            return names.contains("maximum") || saysNone ? [] : ["has no maximum"]
        default: return []
        }
    }

    /// Whether a sentence holds a number, with or without commas.
    private static func states(_ words: String, _ number: Int) -> Bool {
        var grouped = ""
        for (place, digit) in String(abs(number)).reversed().enumerated() {
            if place > 0, place % 3 == 0 { grouped = "," + grouped }
            grouped = String(digit) + grouped
        }
        let written = words.split { !($0.isNumber || $0 == "," || $0 == "-") }.map { word in
            word.hasSuffix(",") ? String(word.dropLast()) : String(word)
        }
        let sign = number < 0 ? "-" : ""
        return written.contains(sign + grouped) || written.contains(String(number))
            || number == 1 && words.contains("at least one")
    }

    private static func resolve(_ reference: String, from file: String) -> (JSONValue, String)? {
        let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
        var path = parts[0].isEmpty ? [] : file.split(separator: "/").dropLast().map(String.init)
        for step in parts[0].split(separator: "/") {
            if step == ".." { path.removeLast() } else { path.append(String(step)) }
        }
        let name = parts[0].isEmpty ? file : path.joined(separator: "/")
        let pointer = JSONPointer(parsing: parts.count > 1 ? String(parts[1]) : "")
        guard let root = roots[name], let pointer else { return nil }
        return root.find(pointer).map { ($0, name) }
    }
}
