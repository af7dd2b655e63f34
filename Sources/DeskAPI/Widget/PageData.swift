import DeskBytes
import DeskEventJSON
import DeskJSON
import DeskModel
import DeskWeb

/// What the page around a widget says of the customer without a signature: it is kept with the message
/// that was written meanwhile, and shown as what it is.
struct PageData {
    /// Longest path of the page in bytes.
    static let pathBytes = 500
    /// Most attributes.
    static let mostAttributes = 20

    private let json: [UInt8]

    /// Reads the member `page` of a posted message; nil without it, and where it says nothing.
    static func read(_ fields: inout Fields) throws(Problem) -> PageData? {
        guard let value = fields.value("page"), !value.isNull else { return nil }
        return try PageData(value)
    }

    private init?(_ value: JSONValue) throws(Problem) {
        var parts = try Fields(value)
        let name = parts.text("name", bytes: 0...Contact.maximumNameBytes)
        let email = parts.text("email", bytes: 0...WidgetIdentity.emailBytes)
        let path = parts.text("path", bytes: 0...Self.pathBytes)
        var attributes: [String: AttributeValue] = [:]
        if let stated = parts.value("attributes"), !stated.isNull {
            guard stated.kind == .object, stated.count <= Self.mostAttributes else {
                throw Self.refuse(&parts, stated)
            }
            for member in stated.members {
                if AttributeDefinition.isKey(member.key), let text = member.value.string,
                    text.utf8.count <= AttributeValue.maximumBytes, !text.utf8.contains(0)
                {
                    attributes[member.key] = .text(text)
                } else if AttributeDefinition.isKey(member.key), let number = member.value.double {
                    attributes[member.key] = .number(number)
                } else {
                    throw Self.refuse(&parts, member.value)
                }
            }
        }
        try parts.finish()
        let texts = [name, email, path].map { $0.flatMap { $0.isEmpty ? nil : $0 } }
        guard texts.contains(where: { $0 != nil }) || !attributes.isEmpty else { return nil }
        json = JSONWriter.object { text in
            text.member("name", texts[0])
            text.member("email", texts[1])
            text.member("path", texts[2])
            text.member("attributes") { $0.attributes(attributes) }
        }
    }

    private static func refuse(_ parts: inout Fields, _ value: JSONValue) -> Problem {
        parts.note(
            .value, value,
            "at most \(mostAttributes) attributes: a key of lower-case letters, digits and _, and a text "
                + "of at most \(AttributeValue.maximumBytes) bytes or a number",
            "Send fewer or shorter attributes.")
        do throws(Problem) {
            try parts.finish()
        } catch {
            return error
        }
        preconditionFailure("a finding was noted")
    }

    /// The field that the message keeps it in.
    var header: HeaderField {
        HeaderField(name: MessageFacts.pageDataName, value: String(decoding: json, as: UTF8.self))
    }
}
