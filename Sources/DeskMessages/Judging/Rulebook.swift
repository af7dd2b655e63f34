import DeskJSON
public import DeskModel

/// Why a set of schemas makes no rulebook.
public struct RulebookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The schema at fault.
    public let name: String
    /// What is wrong with it, for the schema's author.
    public let sentence: String

    /// Schema and sentence; neither holds anything of a message.
    public var description: String { "RulebookError(\(name)): \(sentence)" }
}

/// The rules of every message, compiled once: schemas, and what a schema cannot say.
///
/// Thread: any; judging shares nothing.
public struct Rulebook: Sendable {
    /// Where the schemas are served, and what their `$id`s begin with.
    public static let schemaRoot = "/schemas/v1/"
    /// Gives the schemas' relative `$id`s an absolute base; nothing is ever fetched from it.
    static let base = "https://frontdesk.invalid/schemas/v1/"

    /// The schema name of the file of this program that may name its schema.
    static let settingsDocument = "lint-settings"
    /// The documents that only this program reads; the channel has no rule for them.
    static let ownDocuments: Set = [settingsDocument, "template"]
    /// Where the schemas of other vendors' messages are; what breaks them their owners refuse.
    private static let vendorFolder = "vendor/"

    /// The name of the extension that draws the built-in features: the `bid` of their messages.
    public static let extensionIdentifier = Judging.appleBid

    /// Whether every breach of a document's schema is an error.
    static func isStrict(_ name: String) -> Bool {
        ownDocuments.contains(name) || name.hasPrefix(vendorFolder)
    }

    private let outbound: [PayloadKind: JSONSchema]
    private let inbound: [PayloadKind: JSONSchema]
    /// Schemas of what is no message, by path below Schemas/ without `.json`.
    private let documents: [String: JSONSchema]
    /// What the schemas say beside their keywords.
    let notes: SchemaNotes

    /// Compiles schemas, each named by its path below Schemas/, such as `outbound/text.json`.
    ///
    /// Names below `examples/` are passed over, and those below `events/`, which describe no document.
    /// - Throws: when a schema is broken, or one that a kind needs is missing.
    public init(schemas: [(name: String, bytes: [UInt8])]) throws(RulebookError) {
        var library = SchemaLibrary()
        var notes = SchemaNotes()
        var others: [String] = []
        for (name, bytes) in schemas
        where name.hasSuffix(".json") && !name.hasPrefix("examples/")
            && !name.hasPrefix("events/")
        {
            let document: JSONDocument
            do throws(SchemaError) {
                document = try library.register(bytes, at: Self.base + name)
            } catch { throw RulebookError(name: name, sentence: error.description) }
            try notes.collect(document.root, of: name, at: Self.base + name + "#")
            if Self.isOfNoMessage(name) { others.append(name) }
        }
        outbound = try Self.compile(.outbound, library)
        inbound = try Self.compile(.inbound, library)
        documents = try Self.compile(others, library)
        self.notes = notes
    }

    /// The path below Schemas/ of the schema that a payload of this kind is judged by.
    public static func schemaName(of kind: PayloadKind, _ direction: Direction) -> String? {
        name(of: kind, direction).map { "\(direction.rawValue)/\($0).json" }
    }

    /// What is no message and can be judged by its schema all the same: the call-backs of a
    /// payment, what a gateway answers, template files, messages as written from 2017 to 2020; by
    /// path below Schemas/ without `.json`.
    public var documentNames: [String] { documents.keys.sorted() }

    /// The compiled schema of what is no message.
    func schema(ofDocument name: String) -> JSONSchema? { documents[name] }

    /// The compiled schema of a kind.
    func schema(of kind: PayloadKind, _ direction: Direction) -> JSONSchema? {
        direction == .outbound ? outbound[kind] : inbound[kind]
    }

    private static func compile(
        _ direction: Direction, _ library: SchemaLibrary
    ) throws(RulebookError) -> [PayloadKind: JSONSchema] {
        var compiled: [PayloadKind: JSONSchema] = [:]
        for (kind, name) in names(direction) {
            let file = "\(direction.rawValue)/\(name).json"
            do throws(SchemaError) {
                compiled[kind] = try library.compile(base + file, nulls: .absent)
            } catch { throw RulebookError(name: file, sentence: error.description) }
        }
        return compiled
    }

    private static func compile(
        _ files: [String], _ library: SchemaLibrary
    ) throws(RulebookError) -> [String: JSONSchema] {
        var compiled: [String: JSONSchema] = [:]
        for file in files {
            let name = String(file.dropLast(5))
            do throws(SchemaError) {
                compiled[name] = try library.compile(
                    base + file, nulls: ownDocuments.contains(name) ? .values : .absent)
            } catch { throw RulebookError(name: file, sentence: error.description) }
        }
        return compiled
    }

    private static func isOfNoMessage(_ name: String) -> Bool {
        let folders = name.split(separator: "/").dropLast()
        return !folders.contains("shared") && folders != ["outbound"] && folders != ["inbound"]
    }

    private static func names(_ direction: Direction) -> [PayloadKind: String] {
        let signals: [PayloadKind] = [.typingStart, .typingEnd, .close]
        let kinds = KindModel.all.map { PayloadKind.message($0.kind) } + signals
        return kinds.reduce(into: [:]) { $0[$1] = name(of: $1, direction) }
    }

    private static func name(of kind: PayloadKind, _ direction: Direction) -> String? {
        switch (kind, direction) {
        case (.message(let kind), .outbound): kind.model.schemas.outbound
        case (.message(let kind), .inbound): kind.model.schemas.inbound
        case (.typingStart, _), (.typingEnd, _): "typing"
        case (.close, .inbound): "close"
        case (.close, .outbound): nil
        }
    }
}
