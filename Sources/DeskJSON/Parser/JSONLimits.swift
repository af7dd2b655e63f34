/// What a JSON text may grow to; the first excess ends the parse with an error that names it.
public struct JSONLimits: Sendable {
    /// Deepest nesting of arrays and objects; one more level is `too_deep`.
    public var depth: Int
    /// Most values (keys not counted); one more is `too_many_nodes`.
    public var nodes: Int
    /// Most keys in one object; one more is `too_many_keys`.
    public var keysPerObject: Int
    /// Longest key in bytes as written between its quotes; one more byte is `key_too_long`.
    public var keyBytes: Int
    /// Longest number text in bytes; one more byte is `number_too_long`.
    public var numberBytes: Int
    /// Whether an object may hold one key twice; else the second is `duplicate_key`.
    public var allowsDuplicateKeys: Bool

    /// Limits of one's own; every default is the product's.
    public init(
        depth: Int = 64, nodes: Int = 20_000, keysPerObject: Int = 1_000, keyBytes: Int = 1_024,
        numberBytes: Int = 64, allowsDuplicateKeys: Bool = false
    ) {
        self.depth = depth
        self.nodes = min(nodes, JSONLimits.mostNodes)
        self.keysPerObject = keysPerObject
        self.keyBytes = keyBytes
        self.numberBytes = numberBytes
        self.allowsDuplicateKeys = allowsDuplicateKeys
    }

    /// The product's limits for a text from outside.
    public static let standard = JSONLimits()

    /// No limit but the tape's own (2^24 - 1 values, 4 GiB) and duplicate keys allowed: for our
    /// own files and for conformance suites, never for text from outside.
    public static let unlimited = JSONLimits(
        depth: .max, nodes: mostNodes, keysPerObject: .max, keyBytes: .max, numberBytes: .max,
        allowsDuplicateKeys: true)

    private static let mostNodes = (1 << 24) - 1
}
