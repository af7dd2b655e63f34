/// Parses bytes to tape entries, strictly after RFC 8259 and without recursion.
///
/// The open containers are kept in the tape itself (`Node.next` is the parent until the container
/// is closed), so depth costs no memory. When the tape is full the parser stops before an entry and
/// resumes in a longer one.
// Safe: `text` and the tape are lent by `Tape.parse` for the whole run; every read is guarded by
// `at < end`, every write by `made < room`, which leaves two entries.
@safe struct Parser {
    /// An error being thrown; its sentence is made later.
    struct Fault: Error {
        var code: JSONError.Code
        var at: Int
        var earlier: Int?
    }

    let text: ParserText
    let limits: JSONLimits
    private(set) var made = 0
    private(set) var deepest = 0
    var at = 0
    private var depth = 0
    private var values = 0
    /// The container being read, or -1, and its state.
    private var open = -1
    private var isObject = false
    private var count = 0
    /// A bit for a hash of each key so far, and whether one occurred twice.
    private var seenKeys: UInt32 = 0
    private var mayRepeat = false

    /// Starts at the first byte that is no space.
    init(text: ParserText, limits: JSONLimits) {
        self.text = text
        self.limits = limits
        at = text.behindSpace(0)
    }

    /// Continues where it stopped, with the earlier entries in the tape; false when the tape is full.
    mutating func run(into tape: UnsafeMutableBufferPointer<Node>) throws(Fault) -> Bool {
        // A local copy, so that the compiler can keep it in registers.
        var parser = self
        defer { self = parser }
        guard let nodes = tape.baseAddress else { return false }
        let room = tape.count - 1
        let text = self.text
        while parser.made < room {
            if parser.isObject { unsafe try parser.key(nodes, text) }
            guard unsafe try !parser.value(nodes, text) else { continue }
            // Behind a value: a comma, or the end of one container or several.
            while true {
                parser.at = text.behindSpace(parser.at)
                guard parser.open >= 0 else {
                    guard parser.at == text.end else {
                        throw Fault(code: .trailingBytes, at: parser.at)
                    }
                    return true
                }
                let byte = text.peek(parser.at)
                if byte == 0x2C {
                    parser.at = text.behindSpace(parser.at &+ 1)
                    break
                }
                guard byte == (parser.isObject ? 0x7D : 0x5D) else {
                    throw text.unexpected(parser.at)
                }
                parser.at &+= 1
                unsafe try parser.close(nodes)
            }
        }
        return false
    }

    /// Reads a value; true when it is a container that continues.
    @inline(__always)
    private mutating func value(
        _ nodes: UnsafeMutablePointer<Node>, _ text: ParserText
    ) throws(Fault) -> Bool {
        guard values < limits.nodes else { throw Fault(code: .tooManyNodes, at: at) }
        values &+= 1
        let byte = text.peek(at)
        var found: ParserText.Found
        if byte == 0x22 {
            found = try text.string(at: at)
            found.flags |= Node.Kind.string
        } else if byte == 0x7B || byte == 0x5B {
            unsafe try begin(nodes, isObject: byte == 0x7B)
            at = text.behindSpace(at)
            guard text.peek(at) == (isObject ? 0x7D : 0x5D) else { return true }
            at &+= 1
            unsafe try close(nodes)
            return false
        } else if byte == 0x2D || byte &- 0x30 < 10 {
            found = try text.number(at: at, limit: limits.numberBytes)
            found.flags |= Node.Kind.number
        } else {
            found = try text.word(at: at, isFirst: made == 0)
        }
        unsafe nodes[made] = Node(
            start: UInt32(truncatingIfNeeded: at), end: UInt32(truncatingIfNeeded: found.end),
            next: UInt32(truncatingIfNeeded: made &+ 1), info: found.flags)
        at = found.end
        made &+= 1
        count &+= 1
        return false
    }

    /// Reads a key, its colon and the space up to the value.
    @inline(__always)
    private mutating func key(
        _ nodes: UnsafeMutablePointer<Node>, _ text: ParserText
    ) throws(Fault) {
        guard text.peek(at) == 0x22 else { throw text.unexpected(at) }
        guard count < limits.keysPerObject else { throw Fault(code: .tooManyKeys, at: at) }
        let found = try text.string(at: at, limit: limits.keyBytes)
        guard found.end &- at &- 2 <= limits.keyBytes else {
            throw Fault(code: .keyTooLong, at: at)
        }
        let hash = text.hash(of: found, at: at)
        let bit: UInt32 = 1 &<< (hash & 31)
        mayRepeat = mayRepeat || seenKeys & bit != 0
        seenKeys |= bit
        unsafe nodes[made] = Node(
            start: UInt32(truncatingIfNeeded: at), end: UInt32(truncatingIfNeeded: found.end),
            next: hash, info: found.flags | Node.Kind.key)
        made &+= 1
        at = text.behindSpace(found.end)
        guard text.peek(at) == 0x3A else { throw text.unexpected(at) }
        at = text.behindSpace(at &+ 1)
    }

    @inline(__always)
    private mutating func begin(
        _ nodes: UnsafeMutablePointer<Node>, isObject: Bool
    ) throws(Fault) {
        guard depth < limits.depth else { throw Fault(code: .tooDeep, at: at) }
        depth &+= 1
        deepest = max(deepest, depth)
        if open >= 0 {
            // Kept in the parent until the parent continues.
            unsafe nodes[open].info = Parser.info(self.isObject, count, mayRepeat)
            unsafe nodes[open].end = seenKeys
        }
        unsafe nodes[made] = Node(
            start: UInt32(truncatingIfNeeded: at), end: 0,
            next: UInt32(bitPattern: Int32(truncatingIfNeeded: open)), info: 0)
        open = made
        made &+= 1
        self.isObject = isObject
        count = 0
        seenKeys = 0
        mayRepeat = false
        at &+= 1
    }

    @inline(__always)
    private mutating func close(_ nodes: UnsafeMutablePointer<Node>) throws(Fault) {
        let container = open
        let parent = unsafe Int(Int32(bitPattern: nodes[container].next))
        unsafe nodes[container].info = Parser.info(isObject, count, false)
        unsafe nodes[container].next = UInt32(truncatingIfNeeded: made)
        unsafe nodes[container].end = UInt32(truncatingIfNeeded: at)
        if mayRepeat, !limits.allowsDuplicateKeys {
            let entries = unsafe UnsafeBufferPointer(start: nodes, count: made)
            unsafe try text.refuseDuplicates(of: container, in: entries)
        }
        depth &-= 1
        open = parent
        guard parent >= 0 else { return }
        let info = unsafe nodes[parent].info
        isObject = info & 15 == Node.Kind.object
        mayRepeat = info & Parser.repeatFlag != 0
        count = Int(info >> 8) &+ 1
        unsafe seenKeys = nodes[parent].end
    }

    /// In an open object's info: a hash occurred twice.
    private static let repeatFlag: UInt32 = 0x80

    @inline(__always)
    private static func info(_ isObject: Bool, _ count: Int, _ mayRepeat: Bool) -> UInt32 {
        (isObject ? Node.Kind.object : Node.Kind.array) | (mayRepeat ? repeatFlag : 0)
            | UInt32(truncatingIfNeeded: count) << 8
    }
}
