import DeskJSON

/// A value with the places of the source that it was read from.
struct Sourced<Value: Sendable>: Sendable {
    var value: Value
    /// Empty for what the source does not have.
    var places: [JSONPointer]

    init(_ value: Value, at places: [JSONPointer] = []) {
        self.value = value
        self.places = places
    }
}

extension Sourced<String> {
    /// Whether there is nothing to read in it.
    var isBlank: Bool { value.unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Several texts as lines of one.
    static func lines(_ texts: [Self]) -> Self? {
        guard !texts.isEmpty else { return nil }
        return Self(
            texts.map(\.value).joined(separator: "\n"), at: texts.flatMap(\.places))
    }
}

extension JSONValue {
    /// A member's value; `null` means that the member is absent.
    func stated(_ name: String) -> JSONValue? {
        self[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// The elements of an array member; none where there is no such member.
    func list(_ name: String) -> [JSONValue] {
        stated(name).map { Array($0.elements) } ?? []
    }

    /// A text with its place; nil for anything else and for a text without anything to read.
    var sourced: Sourced<String>? {
        guard let string else { return nil }
        let text = Sourced(string, at: [pointer])
        return text.isBlank ? nil : text
    }

    /// A text member with its place.
    func text(_ name: String) -> Sourced<String>? { stated(name)?.sourced }
}
