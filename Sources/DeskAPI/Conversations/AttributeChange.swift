import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// What a request changes of the attributes of a conversation or a contact.
enum AttributeChange {
    /// Reads the member of a request's body: values by their keys, nil to remove one; nil when the
    /// request does not speak of attributes.
    ///
    /// What cannot be is a finding at the value; the commit decides again.
    static func read(
        _ fields: inout Fields, of subject: AttributeDefinition.Subject,
        in business: BusinessID, _ services: Services
    ) async throws(Problem) -> [String: AttributeValue?]? {
        guard let value = fields.value("attributes"), !value.isNull else { return nil }
        guard value.kind == .object else {
            fields.note(
                "attributes", "an object with values by their keys",
                #"Write {"order_no":"A-17","tier":null}; null removes a value."#)
            return nil
        }
        let known = try await services.asking { store throws(StoreError) in
            try await store.attributes(of: business)
        }.filter { $0.subject == subject }
        let list = "GET /api/businesses/\(business.text)/attributes"
        var values: [String: AttributeValue?] = [:]
        for member in value.members.prefix(2 * AttributeDefinition.most) {
            let definition = known.first { $0.key == member.key }
            guard let definition else {
                fields.note(
                    .unknown, member.value, "a key that is defined for a \(subject.rawValue)",
                    "Take the keys from \(list).")
                continue
            }
            if member.value.isNull {
                values[member.key] = .some(nil)
                continue
            }
            guard !definition.isRetired else {
                fields.note(
                    .value, member.value, "null: the attribute is retired",
                    "Send null, or have an owner take the attribute back.")
                continue
            }
            guard let given = Self.value(member.value), definition.allows(given) else {
                fields.note(
                    .value, member.value, definition.allowed,
                    "Send a value of the attribute's type, or null.")
                continue
            }
            values[member.key] = given
        }
        if value.count > 2 * AttributeDefinition.most {
            fields.note(
                "attributes", "at most \(AttributeDefinition.most) attributes",
                "Send those that change.")
        }
        return values
    }

    private static func value(_ value: JSONValue) -> AttributeValue? {
        if let text = value.string { return .text(text) }
        return value.double.map { .number($0) }
    }
}

extension AttributeDefinition {
    /// What a value must be, in words.
    fileprivate var allowed: String {
        switch kind {
        case .text: "a text of 1 to \(AttributeValue.maximumBytes) bytes, or null"
        case .number: "a number from -1e15 to 1e15, or null"
        case .date: "a day as 2026-11-23, or null"
        case .choice: "one of \(choices.joined(separator: ", ")), or null"
        case .link:
            "an http or https address of at most \(AttributeValue.maximumBytes) bytes, or null"
        }
    }
}
