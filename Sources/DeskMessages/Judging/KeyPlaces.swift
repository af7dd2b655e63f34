import DeskJSON

/// Where the schemas have a key of a name: the place that is meant by one that was written elsewhere.
struct KeyPlaces: Sendable {
    /// The files by their path below Schemas/.
    private var files: [String: JSONValue] = [:]

    /// Adds a file.
    mutating func add(_ name: String, _ root: JSONValue) { files[name] = root }

    /// The JSON pointer of the object nearest to the root that may have a key; nil where none may.
    ///
    /// Every element of an array is number 0. The object at `wrong` is not meant: the key is unknown there.
    func place(of key: String, in home: String, except wrong: String) -> String? {
        guard let root = files[home] else { return nil }
        let wrong = Self.inFirstElements(wrong)
        var seen: Set<String> = []
        var waiting = [Step(schema: root, file: home, path: "")]
        var next = 0
        while next < waiting.count {
            let step = waiting[next]
            next += 1
            if let properties = step.schema["properties"] {
                if properties[key] != nil, step.path != wrong { return step.path }
                for member in properties.members {
                    waiting.append(step.inner(member.value, at: "/" + Self.escaped(member.key)))
                }
            }
            if let items = step.schema["items"] { waiting.append(step.inner(items, at: "/0")) }
            for keyword in Self.alternatives {
                for schema in step.schema[keyword]?.list ?? [] {
                    waiting.append(step.inner(schema, at: ""))
                }
            }
            for keyword in Self.conditions {
                if let schema = step.schema[keyword] { waiting.append(step.inner(schema, at: "")) }
            }
            // A part that leads to itself is read once.
            if let reference = step.schema["$ref"]?.string,
                let target = resolve(reference, in: step.file),
                seen.insert("\(target.file)#\(target.pointer) \(step.path)").inserted,
                seen.count < Self.mostReferences
            {
                waiting.append(Step(schema: target.schema, file: target.file, path: step.path))
            }
        }
        return nil
    }

    private static let alternatives = ["allOf", "anyOf", "oneOf"]
    private static let conditions = ["then", "else"]
    /// Parts that one search reads, each at each of its places.
    private static let mostReferences = 400

    private struct Step {
        let schema: JSONValue
        let file: String
        let path: String

        func inner(_ schema: JSONValue, at name: String) -> Step {
            Step(schema: schema, file: file, path: path + name)
        }
    }

    /// A reference such as `../shared/form.json#/$defs/page`, seen from a file.
    private func resolve(
        _ reference: String, in file: String
    ) -> (schema: JSONValue, file: String, pointer: String)? {
        let parts = reference.split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let pointer = parts.count > 1 ? String(parts[1]) : ""
        var folders = file.split(separator: "/").dropLast()
        for part in parts[0].split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else { folders.append(part) }
        }
        let name = parts[0].isEmpty ? file : folders.joined(separator: "/")
        guard var schema = files[name] else { return nil }
        for key in pointer.split(separator: "/") {
            guard let inner = schema[String(key)] else { return nil }
            schema = inner
        }
        return (schema, name, pointer)
    }

    private static func inFirstElements(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? "0" : $0 }
            .joined(separator: "/")
    }

    private static func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "~") })
        else { return key }
        return key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
}
