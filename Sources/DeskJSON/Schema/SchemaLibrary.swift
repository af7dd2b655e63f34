import DeskBytes

/// Schemas by URI; references are resolved only here, never over a network.
public struct SchemaLibrary: Sendable {
    /// A schema with its own URI: a document's root or a subschema with `$id`.
    struct Resource: Sendable {
        var uri: String
        var document: Int
        var node: Int
        /// Named places, by `$anchor` and `$dynamicAnchor`.
        var anchors: [ByteString: Int] = [:]
        /// The names by `$dynamicAnchor` alone.
        var dynamicAnchors: [ByteString: Int] = [:]
        /// The `$schema` stated here.
        var metaschema: String?
    }

    private(set) var documents: [Tape] = []
    private(set) var resources: [Resource] = []
    private var resourceByURI: [ByteString: Int] = [:]
    /// Shared by all that is compiled from this library and its copies.
    private(set) var patterns = PatternCache()

    /// A library that knows the metaschemas of draft 2020-12 and nothing else.
    public init() {
        self = SchemaLibrary.standard
        patterns = PatternCache()
    }

    private init(empty: Void) {}

    /// Adds a schema document under a URI; its own `$id` counts too.
    ///
    /// - Returns: the parsed document.
    /// - Throws: `notJSON`, `duplicateIdentifier` or `badKeyword`; then nothing was added.
    @discardableResult
    public mutating func register(
        _ bytes: [UInt8], at uri: String
    ) throws(SchemaError) -> JSONDocument {
        let limits = JSONLimits(
            depth: 256, nodes: 1_000_000, keysPerObject: 100_000, keyBytes: 65_536,
            numberBytes: 1_024)
        let tape: Tape
        do throws(JSONError) {
            tape = try Tape.parse(bytes, limits: limits)
        } catch {
            throw SchemaError(
                code: .notJSON, location: uri,
                sentence: "Line \(error.line), column \(error.column): \(error.sentence)")
        }
        var copy = self
        try copy.add(tape, at: uri)
        self = copy
        return JSONDocument(tape: tape)
    }

    /// Compiles the schema at a URI, which may have a fragment, with all it refers to.
    public func compile(
        _ uri: String, formats: SchemaFormats = .asserted, nulls: SchemaNulls = .values
    ) throws(SchemaError) -> JSONSchema {
        var compiler = Compiler(library: self, formats: formats, nulls: nulls)
        return JSONSchema(program: try compiler.compile(uri))
    }

    /// The resource at an absolute URI without fragment.
    func resource(at uri: String) -> Int? { resourceByURI[ByteString(uri)] }

    /// The innermost resource that holds the entry.
    func resource(holding node: Int, in document: Int) -> Int? {
        var best: Int?
        for (index, resource) in resources.enumerated() where resource.document == document {
            let end = Int(documents[document].nodes[resource.node].next)
            guard resource.node <= node, node < end else { continue }
            if let known = best, resources[known].node > resource.node { continue }
            best = index
        }
        return best
    }

    /// The absolute place of an entry: its resource's URI, `#` and the path from there.
    func location(of node: Int, in document: Int, keyword: String? = nil) -> String {
        let tape = documents[document]
        let index = resource(holding: node, in: document)
        let root = index.map { resources[$0].node } ?? 0
        let rootSteps = JSONValue(tape: tape, index: root).pointer.tokens.count
        let steps = JSONValue(tape: tape, index: node).pointer.tokens.dropFirst(rootSteps)
        var pointer = JSONPointer(Array(steps))
        if let keyword { pointer = pointer.appending(keyword) }
        return (index.map { resources[$0].uri } ?? "") + "#" + pointer.description
    }

    private static let standard: SchemaLibrary = {
        var library = SchemaLibrary(empty: ())
        for (uri, text) in Metaschema.documents {
            do {
                try library.register(Array(text.utf8), at: uri)
            } catch {
                preconditionFailure("our own metaschema \(uri): \(error)")
            }
        }
        return library
    }()
}

extension SchemaLibrary {
    private mutating func add(_ tape: Tape, at uri: String) throws(SchemaError) {
        let document = documents.count
        documents.append(tape)
        let base = SchemaURI(uri)
        let key = base.text(withFragment: false)
        let root = try addResource(uri: key, document: document, node: 0)
        try scan(0, document: document, base: base, resource: root)
    }

    private mutating func addResource(
        uri: String, document: Int, node: Int
    ) throws(SchemaError) -> Int {
        let key = ByteString(uri)
        guard resourceByURI[key] == nil else {
            throw SchemaError(
                code: .duplicateIdentifier, location: uri,
                sentence: "A schema is registered under \(uri) already.")
        }
        resources.append(Resource(uri: uri, document: document, node: node))
        resourceByURI[key] = resources.count - 1
        return resources.count - 1
    }

    /// Notes the identifiers of a schema and of all schemas in it.
    ///
    /// Recursion is bounded by the depth limit of ``register(_:at:)``.
    private mutating func scan(
        _ node: Int, document: Int, base: SchemaURI, resource: Int
    ) throws(SchemaError) {
        let schema = JSONValue(tape: documents[document], index: node)
        guard schema.kind == .object else { return }
        var base = base
        var resource = resource
        if let id = schema["$id"]?.string, id.utf8.first == 0x23, isHistoric(resource) {
            resources[resource].anchors[ByteString(Array(id.utf8.dropFirst()))] = node
        } else if let id = schema["$id"]?.string {
            let own = SchemaURI(id)
            guard own.fragment?.isEmpty ?? true else {
                throw SchemaError(
                    code: .badKeyword, location: id, sentence: "An $id has no fragment.")
            }
            // `#` alone, or an empty reference, names the schema itself.
            let target = own.resolved(against: base)
            let uri = target.text(withFragment: false)
            if resources[resource].node == node {
                if resourceByURI[ByteString(uri)] == nil {
                    resourceByURI[ByteString(uri)] = resource
                } else if resourceByURI[ByteString(uri)] != resource {
                    throw SchemaError(
                        code: .duplicateIdentifier, location: uri,
                        sentence: "A schema is registered under \(uri) already.")
                }
                resources[resource].uri = uri
            } else {
                resource = try addResource(uri: uri, document: document, node: node)
            }
            base = target
        }
        if let metaschema = schema["$schema"]?.string {
            resources[resource].metaschema = metaschema
        }
        try noteAnchors(of: schema, resource: resource)
        for child in Subschemas.entries(of: schema) {
            try scan(child, document: document, base: base, resource: resource)
        }
    }

    /// Whether a resource is of a draft where `$id` could name an anchor.
    private func isHistoric(_ resource: Int) -> Bool {
        resources[resource].metaschema.flatMap { Dialect.known($0) }?.isHistoric ?? false
    }

    private mutating func noteAnchors(
        of schema: JSONValue, resource: Int
    ) throws(SchemaError) {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            guard let name = schema[keyword]?.byteString else { continue }
            if let known = resources[resource].anchors[name], known != schema.index {
                throw SchemaError(
                    code: .duplicateIdentifier, location: resources[resource].uri,
                    sentence: "The anchor \(name.text) is used twice.")
            }
            resources[resource].anchors[name] = schema.index
            if keyword == "$dynamicAnchor" {
                resources[resource].dynamicAnchors[name] = schema.index
            }
        }
    }
}

/// What `format` means.
public enum SchemaFormats: Sendable {
    /// A string that breaks its format is invalid.
    case asserted
    /// `format` is a note, unless the schema's dialect has the assertion vocabulary.
    case annotated
}

/// What a member whose value is `null` is.
public enum SchemaNulls: Sendable {
    /// A member like any other, as JSON Schema has it.
    case values
    /// Treated as absent, for texts whose writers send `null` for a missing member.
    case absent
}
