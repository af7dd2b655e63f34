/// A decoded path: percent signs are resolved, dot segments and hidden slashes were refused.
public struct RequestPath: Sendable, Hashable {
    /// The parts between slashes; empty for `/`.
    ///
    /// A trailing slash gives an empty last part.
    public let segments: [String]

    /// Makes a path of decoded segments.
    public init(segments: [String]) { self.segments = segments }

    /// The decoded path with its slashes; for showing, not for splitting again.
    public var text: String { "/" + segments.joined(separator: "/") }
}

/// The decoded query: names and values in the order sent, repeated names kept.
public struct Query: Sendable, Hashable {
    /// One `name=value`; the value is empty when there was no equals sign.
    public struct Item: Sendable, Hashable {
        /// The decoded name.
        public let name: String
        /// The decoded value.
        public let value: String

        /// Makes an item of decoded text.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All items, in order.
    public let items: [Item]
    /// Whether items were left out because they cannot be decoded: a broken escape, or bytes
    /// that are not UTF-8.
    public let isCut: Bool
    /// The names that were sent, by those that stand for them in `items`.
    private var sent: [String: String] = [:]

    /// Makes a query of decoded items.
    public init(items: [Item] = [], isCut: Bool = false) {
        self.items = items
        self.isCut = isCut
    }

    /// The first value of this name, compared as bytes; nil when it is absent.
    public subscript(_ name: String) -> String? {
        items.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The query with other names, each with the same bytes as a key of `names`.
    public func renamed(_ names: [String: String]) -> Query {
        var renamed = Query(
            items: items.map { Item(name: names[$0.name] ?? $0.name, value: $0.value) },
            isCut: isCut)
        for item in items {
            if let name = names[item.name] { renamed.sent[name] = item.name }
        }
        return renamed
    }

    /// Whether a parameter was sent under one of these names.
    public func hasAny(of names: [String: String]) -> Bool {
        !names.isEmpty && items.contains { names[$0.name] != nil }
    }

    /// The name that was sent where a parameter has another name now.
    public func sentName(of name: String) -> String { sent[name] ?? name }

    /// Every value of this name, in order.
    public func values(_ name: String) -> [String] {
        items.filter { $0.name.hasSameBytes(as: name) }.map(\.value)
    }
}

/// What a route's pattern captured, by the names in its braces.
public struct PathParameters: Sendable, Hashable {
    private var captured: [Query.Item] = []

    /// Makes an empty set.
    public init() {}

    /// The decoded segment captured under this name; nil when the pattern has no such name.
    public subscript(_ name: String) -> String? {
        captured.first { $0.name.hasSameBytes(as: name) }?.value
    }

    mutating func capture(_ name: String, _ value: String) {
        captured.append(Query.Item(name: name, value: value))
    }
}
