/// What an operation of a PATCH request changes, RFC 7644 section 3.5.2.
package struct SCIMPath: Sendable {
    /// Longest text in bytes; a longer one is an invalid path.
    package static let maximumBytes = 2_560

    /// The URN of a schema that is no core schema; nil for the attributes at the top of a resource.
    package let schema: String?
    /// The attribute; the URN where the path is that of a further schema, and empty where it is that
    /// of a core schema, so the whole resource.
    package let attribute: String
    /// Which elements of the attribute.
    package let filter: SCIMFilter?
    /// The sub-attribute.
    package let subAttribute: String?

    /// Reads a path.
    ///
    /// - Throws: `invalidPath`, and `invalidFilter` for what is between the brackets.
    package init(parsing text: String) throws(SCIMFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumBytes else { throw Self.fault(text) }
        let end = bytes.firstIndex { !SCIMName.isPart($0) } ?? bytes.count
        guard let name = SCIMName(String(decoding: bytes[..<end], as: UTF8.self)) else {
            throw Self.fault(text)
        }
        schema = name.schema
        attribute = name.attribute
        guard end < bytes.count else {
            filter = nil
            subAttribute = name.subAttribute
            return
        }
        guard bytes[end] == 0x5B, !name.attribute.isEmpty, name.subAttribute == nil,
            let close = Self.closingBracket(in: bytes, from: end + 1)
        else { throw Self.fault(text) }
        filter = try SCIMFilter(
            parsing: String(decoding: bytes[(end + 1)..<close], as: UTF8.self),
            within: name.schema == nil ? name.attribute : "")
        let rest = bytes[(close + 1)...]
        guard let point = rest.first else {
            subAttribute = nil
            return
        }
        let tail = String(decoding: rest.dropFirst(), as: UTF8.self)
        guard point == 0x2E, let sub = SCIMName(tail), sub.subAttribute == nil,
            SCIMNames.areEqual(sub.attribute, tail), !tail.utf8.contains(0x3A)
        else { throw Self.fault(text) }
        subAttribute = sub.attribute
    }

    private static func closingBracket(in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count, bytes[place] != 0x5D {
            place =
                bytes[place] == 0x22
                ? SCIMFilterParser.endOfText(in: bytes, from: place) : place + 1
        }
        return place < bytes.count ? place : nil
    }

    private static func fault(_ text: String) -> SCIMFault {
        SCIMFault(
            .invalidPath,
            """
            The path: found \(SCIMFault.quoted(text)); allowed: an attribute, a filter in brackets, a \
            sub-attribute, such as emails[type eq "work"].value. Correct the path.
            """)
    }
}
