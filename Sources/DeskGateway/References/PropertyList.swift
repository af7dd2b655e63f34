/// A value of a binary property list, of the kinds that keyed archives have.
package indirect enum PropertyList: Hashable, Sendable {
    /// A member of a dictionary.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: PropertyList

        package init(_ key: String, _ value: PropertyList) {
            self.key = key
            self.value = value
        }
    }

    /// Members in this order; that keys differ is the builder's promise, and checked by the reader.
    case dictionary([Member])
    /// Values in order.
    case array([PropertyList])
    /// A text.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// A whole number.
    case integer(Int64)
    /// A truth value.
    case bool(Bool)
    /// A double.
    case real(Double)
    /// A reference of a keyed archive to one of its objects.
    case uid(UInt64)

    /// The value of a dictionary's key; nil for any other kind.
    package subscript(key: String) -> PropertyList? {
        guard case .dictionary(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The values of an array; nil for any other kind.
    package var elements: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// A text; nil for any other kind.
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// Bytes; nil for any other kind.
    package var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

    /// A reference; nil for any other kind.
    package var reference: UInt64? { if case .uid(let place) = self { place } else { nil } }
}

/// Why bytes are no binary property list that is read.
package enum PropertyListFault: String, Error, Hashable, Sendable, CaseIterable,
    CustomStringConvertible
{
    /// They do not begin with `bplist00`.
    case notPropertyList
    /// Their trailer is missing or contradicts them.
    case trailer
    /// An object or reference that is not within them, or is cut off.
    case outOfBounds
    /// An object of a kind that is not read: null, date, set, fill, a wide integer.
    case kind
    /// A text that is not ASCII or UTF-16 as it says.
    case text
    /// A dictionary's key that is no text, or comes twice.
    case key
    /// An object that contains itself.
    case cycle
    /// Deeper than the limit.
    case tooDeep
    /// More objects, values or bytes than the limit.
    case tooLarge
    /// Packed with gzip, and that is damaged.
    case gzip
    /// A property list, and no keyed archive.
    case notArchive
    /// A keyed archive whose root is no dictionary.
    case rootNotDictionary
    /// A keyed archive of a dictionary that holds neither of what interactive data is made of.
    case noContent
    /// A keyed archive whose `data` is no JSON.
    case dataNotJSON

    /// Whether the bytes were read as a property list, and what is missing is missing in it.
    package var isOfArchive: Bool {
        switch self {
        case .notArchive, .rootNotDictionary, .noContent, .dataNotJSON: true
        case .notPropertyList, .trailer, .outOfBounds, .kind, .text, .key, .cycle, .tooDeep,
            .tooLarge, .gzip:
            false
        }
    }

    /// What was found, in plain words; nothing of the bytes.
    package var description: String {
        switch self {
        case .notPropertyList: "they do not begin with bplist00"
        case .trailer: "the trailer is missing or contradicts them"
        case .outOfBounds: "an object lies outside, or is cut off"
        case .kind: "an object is of a kind that is not read"
        case .text: "a text is not ASCII or UTF-16"
        case .key: "a dictionary's key is no text, or comes twice"
        case .cycle: "an object contains itself"
        case .tooDeep: "nested deeper than \(PropertyListReader.maximumDepth)"
        case .tooLarge: "larger than is read"
        case .gzip: "the gzip data are damaged"
        case .notArchive: "no keyed archive: $archiver, $objects or the root in $top is missing"
        case .rootNotDictionary: "the root is no dictionary: NS.keys and NS.objects belong there"
        case .noContent:
            "the dictionary has neither data, the JSON of the message, nor URL, an app's answer"
        case .dataNotJSON: "the dictionary's data is no JSON text"
        }
    }
}
