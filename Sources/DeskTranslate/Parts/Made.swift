import DeskJSON

/// A message being written, whose every value remembers the places of the source that it comes from.
indirect enum Made: Sendable {
    case object([(String, Made)])
    case array([Made])
    /// No places: the shape needs the value, and the source does not have it.
    case value(JSON, from: [JSONPointer])

    /// A text that the source has.
    static func text(_ text: Sourced<String>) -> Made {
        .value(.string(text.value), from: text.places)
    }

    /// An object of those members that there are.
    static func members(_ members: [(String, Made?)]) -> Made {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The message without its places.
    var json: JSON {
        switch self {
        case .object(let members): .object(members.map { ($0.0, $0.1.json) })
        case .array(let elements): .array(elements.map(\.json))
        case .value(let json, _): json
        }
    }

    /// Where each value of the message comes from, by its place in the message.
    var origins: [JSONPointer: [JSONPointer]] {
        var origins: [JSONPointer: [JSONPointer]] = [:]
        collect(JSONPointer(), &origins)
        return origins
    }

    private func collect(
        _ place: JSONPointer, _ origins: inout [JSONPointer: [JSONPointer]]
    ) {
        switch self {
        case .object(let members):
            for (name, value) in members { value.collect(place.appending(name), &origins) }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                value.collect(place.appending(index), &origins)
            }
        case .value(_, let places): origins[place] = places
        }
    }
}

extension Made: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .value(.string(value), from: []) }
    init(integerLiteral value: Int) { self = .value(.integer(value), from: []) }
    init(booleanLiteral value: Bool) { self = .value(.bool(value), from: []) }
    init(dictionaryLiteral elements: (String, Made)...) { self = .object(elements) }
    init(arrayLiteral elements: Made...) { self = .array(elements) }
}
