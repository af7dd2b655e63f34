package import DeskJSON

extension Edit {
    /// Puts JSON text in a value's place.
    package static func replace(_ value: JSONValue, with text: String) -> Edit {
        Edit(start: value.range.lowerBound, end: value.range.upperBound, replacement: text)
    }

    /// Puts a string in a value's place.
    package static func replace(_ value: JSONValue, withString text: String) -> Edit {
        replace(value, with: quoted(text))
    }

    /// Renames the key at a place.
    package static func rename(_ key: Range<Int>, to name: String) -> Edit {
        Edit(start: key.lowerBound, end: key.upperBound, replacement: quoted(name))
    }

    /// Removes a member or an element from its container; nil for the root.
    package static func remove(_ value: JSONValue) -> Edit? {
        guard let parent = value.parent else { return nil }
        let ranges =
            parent.kind == .object
            ? parent.members.map { $0.keyRange.lowerBound..<$0.value.range.upperBound }
            : parent.elements.map(\.range)
        guard let place = ranges.firstIndex(where: { $0.upperBound == value.range.upperBound })
        else { return nil }
        // The comma behind goes with it, or the one before the last.
        if place + 1 < ranges.count {
            return Edit(
                start: ranges[place].lowerBound, end: ranges[place + 1].lowerBound,
                replacement: "")
        }
        let start = place > 0 ? ranges[place - 1].upperBound : ranges[place].lowerBound
        return Edit(start: start, end: ranges[place].upperBound, replacement: "")
    }

    /// Puts a member in front of an object's others, laid out as the first one is.
    package static func insert(_ name: String, _ text: String, into object: JSONValue) -> Edit {
        let first = object.members.first { _ in true }
        return insert("\(quoted(name)): \(text)", into: object, before: first?.keyRange)
    }

    /// Puts an element in front of an array's others.
    package static func insert(_ text: String, intoArray array: JSONValue) -> Edit {
        insert(text, into: array, before: array[0]?.range)
    }

    /// A text as a JSON string.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func insert(
        _ text: String, into container: JSONValue, before first: Range<Int>?
    ) -> Edit {
        let place = container.range.lowerBound + 1
        guard let first else { return Edit(start: place, end: place, replacement: text) }
        let space = container.document.bytes[place..<first.lowerBound]
        let layout = String(decoding: space, as: UTF8.self)
        let comma = layout.isEmpty ? ", " : ","
        return Edit(start: place, end: place, replacement: layout + text + comma)
    }
}

extension JSONValue {
    /// The object or array that holds it; nil for the root.
    var parent: JSONValue? {
        let tokens = pointer.tokens
        guard !tokens.isEmpty else { return nil }
        return document.find(JSONPointer(Array(tokens.dropLast())))
    }
}
