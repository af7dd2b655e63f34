/// Turns bytes into tape entries, strictly after RFC 8259 and without recursion.
///
/// The open containers are kept in the tape itself (`Node.next` is the parent until the container
/// is closed), so depth costs no memory. When the tape is full the parser stops between two
/// entries and goes on in a longer one.
// Safe: `text` and the tape are lent by `Tape.init(parsing:)` for the whole run; every read is
// guarded by `at < end`, every write by `made + 2 <= tape.count`.
@safe struct Parser {
    /// How a run over the tape ended.
    enum Outcome {
        case done
        case full
        case failed(JSONError)
    }

    /// A fault on its way out; the sentence is made only then.
    struct Fault: Error {
        var code: JSONError.Code
        var at: Int
        var earlier: Int?
    }

    private enum Step {
        case value
        case firstElement
        case firstKey
        case key
        case afterValue
    }

    let text: UnsafePointer<UInt8>
    let end: Int
    let limits: JSONLimits
    private(set) var made = 0
    private(set) var deepest = 0
    var at = 0
    private var depth = 0
    private var open = -1
    private var values = 0
    private var step = Step.value

    init(text: UnsafePointer<UInt8>, end: Int, limits: JSONLimits) {
        unsafe self.text = unsafe text
        self.end = end
        self.limits = limits
    }

    /// Goes on where it stopped; the tape holds the `made` entries of before.
    mutating func run(into tape: UnsafeMutableBufferPointer<Node>) throws(Fault) -> Bool {
        while true {
            skipSpace()
            if step == .afterValue {
                guard open >= 0 else {
                    guard at == end else { throw Fault(code: .trailingBytes, at: at) }
                    return true
                }
                guard at < end else { throw Fault(code: .unexpectedEnd, at: at) }
                let isObject = unsafe tape[open].kind == Node.Kind.object
                let byte = unsafe text[at]
                if byte == 0x2C {
                    at += 1
                    step = isObject ? .key : .value
                    skipSpace()
                } else if byte == (isObject ? 0x7D : 0x5D) {
                    at += 1
                    unsafe try close(tape)
                    continue
                } else {
                    throw Fault(code: .unexpectedByte, at: at)
                }
            }
            guard at < end else {
                throw Fault(code: made == 0 ? .emptyText : .unexpectedEnd, at: at)
            }
            guard made + 2 <= tape.count else { return false }
            let byte = unsafe text[at]
            switch step {
            case .firstElement where byte == 0x5D, .firstKey where byte == 0x7D:
                at += 1
                unsafe try close(tape)
            case .value, .firstElement:
                unsafe try value(byte, tape)
            case .key, .firstKey:
                guard byte == 0x22 else { throw Fault(code: .unexpectedByte, at: at) }
                unsafe try key(tape)
                skipSpace()
                guard at < end else { throw Fault(code: .unexpectedEnd, at: at) }
                let colon = unsafe text[at]
                guard colon == 0x3A else { throw Fault(code: .unexpectedByte, at: at) }
                at += 1
                skipSpace()
                guard at < end else { throw Fault(code: .unexpectedEnd, at: at) }
                unsafe try value(text[at], tape)
            case .afterValue: break
            }
        }
    }

    @inline(__always)
    private mutating func skipSpace() {
        while at < end {
            let byte = unsafe text[at]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            else { return }
            at += 1
        }
    }

    @inline(__always)
    private mutating func value(
        _ byte: UInt8, _ tape: UnsafeMutableBufferPointer<Node>
    ) throws(Fault) {
        guard values < limits.nodes else { throw Fault(code: .tooManyNodes, at: at) }
        values += 1
        let start = at
        var info: UInt32
        switch byte {
        case 0x22:
            info = try string(from: at) | Node.Kind.string
        case 0x7B, 0x5B:
            guard depth < limits.depth else { throw Fault(code: .tooDeep, at: at) }
            depth += 1
            deepest = max(deepest, depth)
            at += 1
            let isObject = byte == 0x7B
            let kind = isObject ? Node.Kind.object : Node.Kind.array
            unsafe tape[made] = Node(
                start: UInt32(start), end: 0, next: UInt32(bitPattern: Int32(open)), info: kind)
            open = made
            made += 1
            step = isObject ? .firstKey : .firstElement
            return
        case 0x2D, 0x30...0x39:
            info = try number() | Node.Kind.number
        case 0x74:
            try word([0x72, 0x75, 0x65])
            info = Node.Kind.yes
        case 0x66:
            try word([0x61, 0x6C, 0x73, 0x65])
            info = Node.Kind.no
        case 0x6E:
            try word([0x75, 0x6C, 0x6C])
            info = Node.Kind.null
        default:
            let isLetter = (byte | 0x20) &- 0x61 < 26
            throw Fault(code: isLetter ? .badLiteral : .unexpectedByte, at: at)
        }
        unsafe tape[made] = Node(
            start: UInt32(start), end: UInt32(at), next: UInt32(made + 1), info: info)
        made += 1
        if open >= 0 { unsafe tape[open].info += 0x100 }
        step = .afterValue
    }

    @inline(__always)
    private mutating func key(_ tape: UnsafeMutableBufferPointer<Node>) throws(Fault) {
        guard unsafe tape[open].count < limits.keysPerObject else {
            throw Fault(code: .tooManyKeys, at: at)
        }
        let start = at
        let flags = try string(from: at)
        let length = at - start - 2
        guard length <= limits.keyBytes else { throw Fault(code: .keyTooLong, at: start) }
        let content = unsafe UnsafeRawBufferPointer(start: text + start + 1, count: length)
        let hash: UInt32
        if flags & Node.escapeFlag == 0 {
            unsafe hash = KeyHash.of(content)
        } else {
            unsafe hash = KeyHash.of(Escape.decoded(Array(content)[...]))
        }
        unsafe tape[made] = Node(
            start: UInt32(start), end: UInt32(at), next: hash, info: flags | Node.Kind.key)
        made += 1
    }

    private mutating func close(_ tape: UnsafeMutableBufferPointer<Node>) throws(Fault) {
        let container = open
        if !limits.allowsDuplicateKeys, unsafe tape[container].count > 1,
            unsafe tape[container].kind == Node.Kind.object
        {
            let entries = unsafe UnsafeBufferPointer(rebasing: tape[..<made])
            unsafe try refuseDuplicates(of: container, in: entries)
        }
        depth -= 1
        open = unsafe Int(Int32(bitPattern: tape[container].next))
        unsafe tape[container].next = UInt32(made)
        unsafe tape[container].end = UInt32(at)
        if open >= 0 { unsafe tape[open].info += 0x100 }
        step = .afterValue
    }

    @inline(__always)
    private mutating func word(_ rest: InlineArray<3, UInt8>) throws(Fault) {
        guard at + 4 <= end, unsafe text[at + 1] == rest[0], unsafe text[at + 2] == rest[1],
            unsafe text[at + 3] == rest[2]
        else { throw Fault(code: .badLiteral, at: at) }
        at += 4
        try endWord(at - 4)
    }

    @inline(__always)
    private mutating func word(_ rest: InlineArray<4, UInt8>) throws(Fault) {
        guard at + 5 <= end, unsafe text[at + 1] == rest[0], unsafe text[at + 2] == rest[1],
            unsafe text[at + 3] == rest[2], unsafe text[at + 4] == rest[3]
        else { throw Fault(code: .badLiteral, at: at) }
        at += 5
        try endWord(at - 5)
    }

    /// `nullx` is one bad word, not a word and a stray letter.
    @inline(__always)
    private func endWord(_ start: Int) throws(Fault) {
        guard at < end else { return }
        let byte = unsafe text[at]
        guard (byte | 0x20) &- 0x61 >= 26 else { throw Fault(code: .badLiteral, at: start) }
    }
}
