import DeskBytes
import DeskJSON

extension JSONWriter {
    /// Writes a key and copies a value's text, where there is one; null means none (protocol page
    /// 13.7).
    mutating func member(_ name: StaticString, copying value: JSONValue?) {
        guard let value, !value.isNull else { return }
        key(name)
        raw(value.rawBytes)
    }
}

extension JSONValue {
    /// A member's value; nil where there is none, or `null`, which means that the member is absent.
    subscript(stated name: String) -> JSONValue? {
        self[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// A whole number, also one in quotation marks, which is accepted with a warning.
    var wholeNumber: Int? { int ?? string.flatMap { Int($0) } }

    /// Whether it is a text.
    var isString: Bool { kind == .string }

    var isEmptyText: Bool { isString && range.count == 2 }

    /// The elements of an array, for going over them more than once.
    var list: [JSONValue] { Array(elements) }

    /// Its text as it came, cut to what a sentence can hold.
    var quoted: String {
        let text = rawText
        guard text.unicodeScalars.count > 60 else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(57))) + "..."
    }

    /// How many U+FFFC characters a text holds.
    var countOfObjectReplacements: Int {
        // Without the character's first byte and without an escape there is none.
        guard rawBytes.hasByte(0xEF, or: 0x5C), let bytes = stringBytes else { return 0 }
        var count = 0
        for index in bytes.indices.dropLast(2)
        where bytes[index] == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] == 0xBC {
            count += 1
        }
        return count
    }
}

extension String {
    /// The word with a capital, as devices write kinds: `final` is `Final`.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }
}

extension ArraySlice<UInt8> {
    /// Whether one of two bytes occurs.
    func hasByte(_ first: UInt8, or second: UInt8) -> Bool {
        unsafe withUnsafeBufferPointer { unsafe ByteScan.contains($0, first, or: second) }
    }
}
