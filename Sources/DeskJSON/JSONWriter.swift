import DeskBytes

/// Appends JSON piece by piece, for paths too hot for a tree; it sets the commas.
///
/// Order: begin and end calls pair up and every key is followed by one value; the writer does not
/// check this.
public struct JSONWriter: Sendable {
    /// The output so far.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// Starts empty, with a reserved capacity in bytes.
    public init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Continues after existing bytes.
    public init(after bytes: consuming [UInt8]) { self.bytes = bytes }

    /// Opens an object.
    public mutating func beginObject() { open(0x7B) }

    /// Closes the object.
    public mutating func endObject() { close(0x7D) }

    /// Opens an array.
    public mutating func beginArray() { open(0x5B) }

    /// Closes the array.
    public mutating func endArray() { close(0x5D) }

    /// Writes a key that needs no escape.
    public mutating func key(_ name: StaticString) {
        if needsComma { bytes.append(0x2C) }
        bytes.append(0x22)
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a key of any text.
    public mutating func key(text: String) {
        if needsComma { bytes.append(0x2C) }
        JSONWriter.append(text, to: &bytes)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        beforeValue()
        JSONWriter.append(text, to: &bytes)
    }

    /// Writes a string of a known length that needs no escape, made where it is written.
    public mutating func plainString(
        count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        beforeValue()
        unsafe withUnsafeTemporaryAllocation(byteCount: count + 2, alignment: 1) { room in
            unsafe room[0] = 0x22
            unsafe room[count + 1] = 0x22
            unsafe fill(UnsafeMutableRawBufferPointer(rebasing: room[1...count]))
            unsafe bytes.append(contentsOf: room)
        }
    }

    /// Writes a string from its UTF-8; the caller knows that it is UTF-8.
    public mutating func string(utf8: [UInt8]) {
        beforeValue()
        JSONWriter.append(utf8: utf8, to: &bytes)
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int) {
        beforeValue()
        JSONWriter.append(value, to: &bytes)
    }

    /// Writes a truth value.
    public mutating func bool(_ value: Bool) {
        beforeValue()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        beforeValue()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes JSON text as it is.
    public mutating func raw(_ text: [UInt8]) {
        beforeValue()
        bytes.append(contentsOf: text)
    }

    /// Writes JSON text as it is.
    public mutating func raw(_ text: ArraySlice<UInt8>) {
        beforeValue()
        bytes.append(contentsOf: text)
    }

    /// Writes a tree.
    public mutating func value(_ value: JSON) {
        beforeValue()
        value.append(to: &bytes)
    }

    private mutating func open(_ byte: UInt8) {
        if needsComma { bytes.append(0x2C) }
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func beforeValue() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }
}

extension JSONWriter {
    /// Appends a string with its quotes and escapes; U+2028 and U+2029 are escaped too, since they
    /// end a line in script.
    public static func append(_ text: String, to out: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe append($0, to: &out) }
    }

    /// Appends a string given as UTF-8, with its quotes and escapes.
    public static func append(utf8: [UInt8], to out: inout [UInt8]) {
        unsafe utf8.withUnsafeBufferPointer { unsafe append($0, to: &out) }
    }

    /// Appends a whole number.
    public static func append(_ value: Int, to out: inout [UInt8]) {
        guard value < 0 || value > 9 else {
            out.append(0x30 + UInt8(value))
            return
        }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var left = value.magnitude
        var count = 0
        repeat {
            digits[count] = 0x30 + UInt8(truncatingIfNeeded: left % 10)
            left /= 10
            count += 1
        } while left > 0
        if value < 0 { out.append(0x2D) }
        while count > 0 {
            count -= 1
            out.append(digits[count])
        }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        out.append(0x22)
        var from = 0
        // Most texts need no escape, and that is soon seen.
        var index = unsafe ByteScan.mayNeedEscape(text) ? 0 : text.count
        while index < text.count {
            let byte = unsafe text[index]
            let isPlain = byte >= 0x20 && byte != 0x22 && byte != 0x5C && byte != 0xE2
            if unsafe isPlain || (byte == 0xE2 && !isLineSeparator(text, index)) {
                index += 1
                continue
            }
            unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: text[from..<index]))
            if byte == 0xE2 {
                let isParagraph = unsafe text[index + 2] == 0xA9
                out.append(contentsOf: (isParagraph ? "\\u2029" : "\\u2028").utf8)
                index += 3
            } else {
                appendEscape(byte, to: &out)
                index += 1
            }
            from = index
        }
        unsafe out.append(contentsOf: UnsafeBufferPointer(rebasing: text[from...]))
        out.append(0x22)
    }

    private static func isLineSeparator(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        unsafe index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8
    }

    private static func appendEscape(_ byte: UInt8, to out: inout [UInt8]) {
        out.append(0x5C)
        switch byte {
        case 0x22, 0x5C: out.append(byte)
        case 0x08: out.append(0x62)
        case 0x09: out.append(0x74)
        case 0x0A: out.append(0x6E)
        case 0x0C: out.append(0x66)
        case 0x0D: out.append(0x72)
        default:
            let low = byte & 15
            out.append(contentsOf: [0x75, 0x30, 0x30, 0x30 + byte >> 4])
            out.append(low < 10 ? 0x30 + low : 0x57 + low)
        }
    }
}
