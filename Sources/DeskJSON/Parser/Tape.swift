/// One entry of a parsed text: a value or a key, in the order of the text.
struct Node {
    /// The kind of an entry; a key always comes right before its value.
    enum Kind {
        static let null: UInt32 = 0
        static let no: UInt32 = 1
        static let yes: UInt32 = 2
        static let number: UInt32 = 3
        static let string: UInt32 = 4
        static let array: UInt32 = 5
        static let object: UInt32 = 6
        static let key: UInt32 = 7
    }

    static let escapeFlag: UInt32 = 0x10
    static let wideFlag: UInt32 = 0x20
    static let fractionFlag: UInt32 = 0x40

    /// First byte; of a string and a key its opening quote.
    var start: UInt32
    /// One past the last byte.
    var end: UInt32
    /// The entry after this one and all it holds; of a key the hash of its decoded bytes.
    ///
    /// While a container is open: its parent.
    var next: UInt32
    /// Kind in four bits, flags in four, number of elements or members in 24.
    var info: UInt32

    var kind: UInt32 { info & 15 }
    var isContainer: Bool { kind == Kind.array || kind == Kind.object }
    var count: Int { Int(info >> 8) }
    /// A string or key with a backslash in it.
    var hasEscape: Bool { info & Node.escapeFlag != 0 }
    /// A string or key with bytes beyond ASCII.
    var isWide: Bool { info & Node.wideFlag != 0 }
    /// A number with a fraction or an exponent.
    var hasFraction: Bool { info & Node.fractionFlag != 0 }
}

/// A parsed text: its original bytes and a flat list of its entries.
final class Tape: Sendable {
    let bytes: [UInt8]
    let nodes: [Node]
    /// Deepest nesting of the text that was parsed.
    let depth: Int
    /// What the parse was held to.
    let limits: JSONLimits

    init(bytes: [UInt8], nodes: [Node], depth: Int, limits: JSONLimits) {
        self.bytes = bytes
        self.nodes = nodes
        self.depth = depth
        self.limits = limits
    }

    /// The decoded content of a string or key.
    func text(of index: Int) -> String {
        let node = nodes[index]
        guard node.hasEscape else {
            return String(
                decoding: bytes[Int(node.start) + 1..<Int(node.end) - 1], as: UTF8.self)
        }
        return String(decoding: decodedBytes(of: index), as: UTF8.self)
    }

    /// The decoded bytes of a string or key.
    func decodedBytes(of index: Int) -> [UInt8] {
        let node = nodes[index]
        let range = Int(node.start) + 1..<Int(node.end) - 1
        guard node.hasEscape else { return Array(bytes[range]) }
        return Escape.decoded(bytes[range])
    }

    /// Whether the decoded content is exactly this text, byte for byte; allocates nothing.
    func equals(_ index: Int, _ text: String) -> Bool {
        let node = nodes[index]
        // Most differ in their lengths, which costs nothing to see.
        guard node.hasEscape || Int(node.end &- node.start) == text.utf8.count + 2 else {
            return false
        }
        var text = text
        return text.withUTF8 { unsafe holds($0, in: node) }
    }

    /// The same for a name that the program has.
    func equals(_ key: Int, _ name: StaticString) -> Bool {
        let name = unsafe UnsafeBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe nodes.withUnsafeBufferPointer { nodes in
            let node = unsafe nodes[key]
            guard node.hasEscape || Int(node.end &- node.start) == name.count + 2 else {
                return false
            }
            return unsafe holds(name, in: node)
        }
    }

    /// The key of an object that is exactly this text, the last one of several; allocates nothing.
    func lastKey(_ text: String, ofObject index: Int) -> Int? {
        var text = text
        return text.withUTF8 { name in
            // Keys carry the hash of their text, so that nearly all others cost one comparison.
            let hash = unsafe EdgeWords(UnsafeRawBufferPointer(name)).hash(count: name.count)
            return unsafe nodes.withUnsafeBufferPointer { nodes in
                var found: Int?
                var child = index + 1
                let end = unsafe Int(nodes[index].next)
                while child < end {
                    if unsafe nodes[child].next == hash, unsafe holds(name, in: nodes[child]) {
                        found = child
                    }
                    child = unsafe Int(nodes[child + 1].next)
                }
                return found
            }
        }
    }

    func holds(_ name: UnsafeBufferPointer<UInt8>, in node: Node) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            let content = unsafe UnsafeBufferPointer(
                rebasing: bytes[Int(node.start) + 1..<Int(node.end) - 1])
            guard node.hasEscape else {
                guard content.count == name.count else { return false }
                for place in 0..<name.count {
                    guard unsafe content[place] == name[place] else { return false }
                }
                return true
            }
            var decoded = unsafe DecodedBytes(content)
            var place = 0
            while place < name.count {
                guard unsafe decoded.next() == name[place] else { return false }
                place += 1
            }
            return decoded.next() == nil
        }
    }
}
