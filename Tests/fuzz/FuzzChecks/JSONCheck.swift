import DeskJSON

/// What has to hold of the JSON parser for any bytes; a breach traps.
public enum JSONCheck {
    /// Parses the bytes with and without limits and reads back what was accepted.
    public static func run(_ bytes: [UInt8]) {
        let free = parse(bytes, .unlimited)
        guard let document = parse(bytes, .standard) else { return }
        precondition(free != nil, "the limits took a text that is refused without them")
        precondition(document.bytes == bytes, "the text was changed")
        readBack(document)
        walk(document)
        // What was copied decoded says the same once more, and again the same.
        let copy = JSON(document.root).bytes()
        guard let second = parse(copy, .unlimited) else {
            preconditionFailure("the copy of a text is no JSON")
        }
        precondition(JSON(second.root).bytes() == copy, "a copy's copy differs")
        precondition(second.valueCount == document.valueCount, "a copy lost values")
    }

    /// The decoded copy of a text, or nil when it is refused without any limit.
    public static func copy(of bytes: [UInt8]) -> [UInt8]? {
        parse(bytes, .unlimited).map { JSON($0.root).bytes() }
    }

    private static func parse(_ bytes: [UInt8], _ limits: JSONLimits) -> JSONDocument? {
        do throws(JSONError) {
            return try JSONDocument(parsing: bytes, limits: limits)
        } catch {
            precondition(error.offset <= bytes.count, "a fault lies outside the text")
            precondition(error.line >= 1 && error.column >= 1, "a fault has no place")
            precondition(error.sentence.hasSuffix("."), "a fault has no sentence")
            return nil
        }
    }

    /// Offsets lead to pointers, and pointers back around the offsets.
    private static func readBack(_ document: JSONDocument) {
        let step = max(1, document.bytes.count / 16)
        for offset in stride(from: 0, to: document.bytes.count, by: step) {
            let value = document.innermost(at: offset)
            guard let found = document.find(value.pointer) else {
                preconditionFailure("a pointer leads nowhere")
            }
            precondition(found.range == value.range, "a pointer leads elsewhere")
        }
    }

    /// Every value lies within its parent and says the same by every getter.
    private static func walk(_ document: JSONDocument) {
        var waiting = [document.root]
        while let value = waiting.popLast() {
            precondition(value.range.upperBound <= document.bytes.count)
            switch value.kind {
            case .object:
                precondition(value.members.reduce(0) { count, _ in count + 1 } == value.count)
                for member in value.members {
                    precondition(value.range.contains(member.value.range.lowerBound))
                    precondition(value[member.key]?.range == member.value.range)
                    waiting.append(member.value)
                }
            case .array:
                for element in value.elements {
                    precondition(value.range.contains(element.range.lowerBound))
                    waiting.append(element)
                }
            case .string:
                guard let text = value.string, let bytes = value.stringBytes else {
                    preconditionFailure("a string has no text")
                }
                precondition(text.utf8.elementsEqual(bytes) && value.equals(text))
            case .number:
                if let int = value.int, let double = value.double {
                    precondition(abs(Double(int) - double) <= abs(double) * 1e-9)
                }
            case .null, .boolean: break
            }
        }
    }
}
