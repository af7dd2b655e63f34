import DeskJSON

/// Where to ship or to bill to, as the customer wrote it on the payment sheet.
public struct PostedContact: Hashable, Sendable {
    /// The members a contact may have; `addressLines` alone is a list of texts.
    static let names = [
        "givenName", "familyName", "phoneticGivenName", "phoneticFamilyName", "emailAddress",
        "phoneNumber", "addressLines", "locality", "subLocality", "administrativeArea",
        "subAdministrativeArea", "postalCode", "country", "countryCode",
    ]
    /// Longest text of a contact in bytes; one more is refused with 422.
    static let maximumBytes = 512
    /// Most lines of an address; one more is refused with 422.
    static let maximumLines = 5

    /// The JSON object, byte for byte.
    let text: [UInt8]

    /// Checks a contact member by member.
    init(_ node: JSONValue) throws(ReplyError) {
        guard node.kind == .object else {
            throw ReplyError(.badChoice, "a contact is an object")
        }
        for member in node.members {
            guard let name = Self.names.first(where: { member.keyEquals($0) }) else {
                throw ReplyError(.badChoice, "the contact has an unknown member")
            }
            let texts = name == "addressLines" ? member.value.list : [member.value]
            let isRight =
                (name != "addressLines" || member.value.kind == .array)
                && texts.count <= Self.maximumLines
                && texts.allSatisfy { ($0.stringBytes?.count ?? .max) <= Self.maximumBytes }
            guard isRight else {
                throw ReplyError(
                    .badChoice,
                    "the contact's \(name) is a text of at most \(Self.maximumBytes) bytes"
                )
            }
        }
        text = Array(node.rawBytes)
    }

    /// Whether one of the members is filled in.
    func hasAny(of names: [String]) -> Bool {
        // Safe: it was parsed when it was read.
        guard let contact = JSONValue.parsed(text) else { return false }
        return names.contains { name in
            guard let value = contact[name] else { return false }
            return (value.kind == .array ? value.list : [value]).contains {
                $0.isString && !$0.isEmptyText
            }
        }
    }

    /// What a merchant learns before the customer agrees: town, region, postal code and country.
    ///
    /// Every member is there; those that are kept back or not filled in are empty (protocol page 13.16).
    var redacted: [UInt8] {
        let shown: Set = [
            "locality", "subLocality", "administrativeArea", "subAdministrativeArea",
            "postalCode", "country", "countryCode",
        ]
        // Safe: it was parsed when it was read.
        let contact = JSONValue.parsed(text)
        var out = JSONWriter()
        out.object { out in
            for name in Self.names {
                out.key(text: name)
                if name == "addressLines" {
                    out.array { _ in }
                } else if shown.contains(name), let value = contact?[name] {
                    out.raw(value.rawBytes)
                } else {
                    out.string("")
                }
            }
        }
        return out.bytes
    }
}
