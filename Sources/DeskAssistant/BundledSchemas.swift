import DeskJSON
import DeskMessages
import DeskModel

/// Schemas of messages as structured output needs them: one text for each kind, with all that it refers to.
///
/// What the server fills in itself, and what a model cannot write, such as pictures, is left out.
struct BundledSchemas: Sendable {
    /// Members of messages that a model is not offered.
    private static let withheld: Set<String> = [
        "$schema", "v", "id", "sourceId", "destinationId", "locale", "attachments", "images",
        "imageIdentifier", "sessionIdentifier", "useLiveLayout", "mspVersion",
    ]
    /// Keywords that say nothing about a value.
    private static let silent: Set<String> = ["$schema", "$id", "$comment", "examples", "$defs"]

    private let bundles: [MessageKind: [UInt8]]

    /// Bundles the schemas of the kinds that a model can be asked for, of files named by their path below
    /// Schemas/.
    init(_ files: [(name: String, bytes: [UInt8])]) {
        var roots: [String: JSONValue] = [:]
        for (name, bytes) in files where name.hasSuffix(".json") {
            guard name.hasPrefix("outbound/") || name.hasPrefix("shared/") else { continue }
            roots[name] = JSONValue.parsed(bytes)
        }
        bundles = Assistant.kinds.reduce(into: [:]) { bundles, kind in
            guard let name = Rulebook.schemaName(of: .message(kind), .outbound),
                let root = roots[name]
            else { return }
            var bundling = Bundling(roots: roots)
            bundles[kind] = bundling.bundle(root, of: name)
        }
    }

    /// The schema of a kind; nil for a kind that no model is asked for.
    func bundle(of kind: MessageKind) -> [UInt8]? { bundles[kind] }

    /// One bundle on its way.
    private struct Bundling {
        let roots: [String: JSONValue]
        /// The definitions so far, by their places, and those that are to be added.
        private var definitions: [(place: String, name: String, schema: JSON)] = []
        private var waiting: [(place: String, name: String)] = []
        private var names: [String: String] = [:]

        init(roots: [String: JSONValue]) { self.roots = roots }

        mutating func bundle(_ root: JSONValue, of file: String) -> [UInt8] {
            var whole = schema(root, in: file)
            while let next = waiting.popLast() {
                let parts = next.place.split(separator: "#", omittingEmptySubsequences: false)
                let file = String(parts[0])
                guard let target = target(String(parts.last ?? ""), in: file) else { continue }
                definitions.append((next.place, next.name, schema(target, in: file)))
            }
            if !definitions.isEmpty {
                whole.add(
                    "$defs",
                    .object(definitions.sorted { $0.name < $1.name }.map { ($0.name, $0.schema) }))
            }
            return whole.bytes()
        }

        /// A schema with its references led into the bundle.
        private mutating func schema(_ value: JSONValue, in file: String) -> JSON {
            guard value.kind == .object else { return JSON(value) }
            var members: [(String, JSON)] = []
            for member in value.members {
                let key = member.key
                if BundledSchemas.silent.contains(key) || key.hasPrefix("x-") { continue }
                switch key {
                case "$ref":
                    guard let reference = member.value.string else { continue }
                    members.append((key, .string("#/$defs/\(name(of: reference, in: file))")))
                case "properties": members.append((key, properties(member.value, in: file)))
                case "required":
                    members.append(
                        (
                            key,
                            .array(
                                member.value.elements.compactMap(\.string)
                                    .filter { !BundledSchemas.withheld.contains($0) }
                                    .map { .string($0) })
                        ))
                case "allOf", "anyOf", "oneOf", "prefixItems":
                    members.append(
                        (key, .array(member.value.elements.map { schema($0, in: file) })))
                case "items", "not", "if", "then", "else", "contains", "additionalProperties",
                    "propertyNames":
                    members.append((key, schema(member.value, in: file)))
                default: members.append((key, JSON(member.value)))
                }
            }
            return .object(members)
        }

        private mutating func properties(_ value: JSONValue, in file: String) -> JSON {
            var members: [(String, JSON)] = []
            for member in value.members where !BundledSchemas.withheld.contains(member.key) {
                members.append((member.key, schema(member.value, in: file)))
            }
            return .object(members)
        }

        /// The name in the bundle of what a reference leads to.
        private mutating func name(of reference: String, in file: String) -> String {
            let parts = reference.split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let path = String(parts[0])
            let target = path.isEmpty ? file : Self.resolve(path, from: file)
            let place = "\(target)#\(parts.count > 1 ? String(parts[1]) : "")"
            if let known = names[place] { return known }
            let last = place.split(whereSeparator: { "/#".contains($0) }).last ?? "root"
            var name = String(last.prefix { $0 != "." })
            if names.values.contains(name) { name += "\(names.count)" }
            names[place] = name
            waiting.append((place, name))
            return name
        }

        private func target(_ pointer: String, in file: String) -> JSONValue? {
            var value = roots[file]
            for part in pointer.split(separator: "/") { value = value?[String(part)] }
            return value
        }

        /// A path as it is seen from a file.
        private static func resolve(_ path: String, from file: String) -> String {
            var folders = file.split(separator: "/").dropLast().map(String.init)
            for part in path.split(separator: "/") {
                if part == ".." {
                    _ = folders.popLast()
                } else if part != "." {
                    folders.append(String(part))
                }
            }
            return folders.joined(separator: "/")
        }
    }
}
