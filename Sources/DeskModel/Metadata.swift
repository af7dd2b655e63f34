/// What integrations keep beside a conversation, a customer or a message: texts by names, which the server does not
/// interpret and never sends on.
public struct Metadata: Hashable, Sendable {
    /// Most names; one more is refused.
    public static let most = 50
    /// Longest name in bytes of UTF-8.
    public static let maximumNameBytes = 40
    /// Longest value in bytes of UTF-8.
    public static let maximumValueBytes = 500

    /// One name with its value.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String
    }

    // By bytes: names that only look alike are different names.
    private var values: [[UInt8]: [UInt8]] = [:]

    /// None.
    public init() {}

    /// Whether there are no names.
    public var isEmpty: Bool { values.isEmpty }
    /// How many names there are.
    public var count: Int { values.count }
    /// All of it, in the order of the names' bytes.
    public var members: [Member] {
        values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, value in
            Member(
                name: String(decoding: name, as: UTF8.self),
                value: String(decoding: value, as: UTF8.self))
        }
    }

    /// The value of a name; nil where there is none.
    public subscript(name: String) -> String? {
        get { values[Array(name.utf8)].map { String(decoding: $0, as: UTF8.self) } }
        set { values[Array(name.utf8)] = newValue.map { Array($0.utf8) } }
    }

    /// What a change makes of it.
    public func changed(by change: Change) -> Metadata {
        var changed = self
        for (name, value) in change.values { changed.values[name] = value }
        return changed
    }

    /// Whether every length and the number of names are within the limits.
    public var isAllowed: Bool {
        count <= Self.most
            && values.allSatisfy { name, value in
                (1...Self.maximumNameBytes).contains(name.count)
                    && value.count <= Self.maximumValueBytes
            }
    }
}

extension Metadata {
    /// What a request says of some names; those that it does not name stay.
    public struct Change: Hashable, Sendable {
        fileprivate var values: [[UInt8]: [UInt8]?] = [:]

        /// Changes nothing.
        public init() {}

        /// Gives all names of some metadata their values.
        public init(setting metadata: Metadata) {
            values = metadata.values.mapValues { $0 }
        }

        /// Whether it names nothing.
        public var isEmpty: Bool { values.isEmpty }

        /// Gives a name a value, or with nil removes it.
        public mutating func set(_ name: String, to value: String?) {
            values.updateValue(value.map { Array($0.utf8) }, forKey: Array(name.utf8))
        }

        /// The same without the names that some metadata has.
        public func adding(to metadata: Metadata) -> Change {
            var change = self
            change.values = values.filter { metadata.values[$0.key] == nil }
            return change
        }
    }

    /// The names that a change gave another value or removed, in the order of their bytes.
    public func names(changedTo after: Metadata) -> (set: [String], removed: [String]) {
        let set = after.values.filter { values[$0.key] != $0.value }.keys
        let removed = values.keys.filter { after.values[$0] == nil }
        return (Self.texts(Array(set)), Self.texts(removed))
    }

    private static func texts(_ names: [[UInt8]]) -> [String] {
        names.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
