import DeskJSON
import DeskModel

/// The data of the events of contacts, as JSON text.
package enum ContactText {
    /// What `contact.saved` says: who it is, and what changed.
    ///
    /// Of notes only that they changed, so that they are in one place; of metadata its names.
    static func saved(
        _ contact: Contact, since before: Contact, concerned: [AgentID], by author: Author,
        isImported: Bool
    ) -> [UInt8] {
        let steps = AttributeStep.all(from: before.attributes, to: contact.attributes)
        return JSONWriter.object { text in
            write(contact, to: &text)
            text.member("change") {
                $0.object { text in
                    if contact.name != before.name {
                        change("name", from: before.name, to: contact.name, &text)
                    }
                    if contact.externalID != before.externalID {
                        change("externalId", from: before.externalID, to: contact.externalID, &text)
                    }
                    if contact.notes != before.notes { text.member("notes", true) }
                    if !steps.isEmpty {
                        text.member("attributes") { AttributeText.write(steps, to: &$0) }
                    }
                    if contact.metadata != before.metadata {
                        text.member("metadata") {
                            $0.names(from: before.metadata, to: contact.metadata)
                        }
                    }
                }
            }
            text.member("concerned") { text in
                text.array { text in for agent in concerned { text.string(agent.text) } }
            }
            text.by(author)
            // Behind all others: events are recognised by it.
            if isImported { text.member("imported", true) }
        }
    }

    /// What `contact.merged` and `contact.unmerged` say: which contact was merged into which, and whose
    /// conversations these are about.
    static func merged(
        _ other: Contact, _ root: Contact, _ conversations: [ContactID], by author: Author
    ) -> [UInt8] {
        JSONWriter.object { text in
            write(root, to: &text)
            text.member("other") {
                $0.object {
                    $0.member("id", other.id.text)
                    $0.member("name", other.name)
                }
            }
            text.member("conversations") { text in
                text.array { text in
                    for one in conversations { text.string(one.text) }
                }
            }
            text.by(author)
        }
    }

    /// What `contact.saved` says once a person was erased: who it was, and nothing of what was known.
    static func erased(_ contact: Contact, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            write(contact, to: &text)
            text.member("change") { $0.object { $0.member("erased", true) } }
            text.member("concerned") { $0.array { _ in } }
            text.by(author)
        }
    }

    /// The data of an event of a contact without names, external ids and values of attributes; nil for what is no object.
    ///
    /// What was changed, by whom, and of which contacts, stays.
    package static func emptied(_ data: [UInt8]) -> [UInt8]? {
        // Safe: what cannot be read is left as it is, and was written by another program.
        guard let root = try? JSONDocument(parsing: data).root, root.kind == .object else {
            return nil
        }
        return JSONWriter.object(capacity: data.count) { text in
            for member in root.members {
                text.key(text: member.key)
                switch member.key {
                case "contact", "other": person(member.value, to: &text)
                case "change": changes(member.value, to: &text)
                default: text.raw(member.value.rawBytes)
                }
            }
        }
    }

    private static func person(_ value: JSONValue, to text: inout JSONWriter) {
        text.object { text in
            for member in value.members {
                text.key(text: member.key)
                if member.key == "name" { text.null() } else { text.raw(member.value.rawBytes) }
            }
        }
    }

    private static func changes(_ value: JSONValue, to text: inout JSONWriter) {
        text.object { text in
            for member in value.members {
                text.key(text: member.key)
                switch member.key {
                case "name", "externalId": nothing(to: &text)
                case "attributes":
                    text.object { text in
                        for attribute in member.value.members {
                            text.key(text: attribute.key)
                            nothing(to: &text)
                        }
                    }
                default: text.raw(member.value.rawBytes)
                }
            }
        }
    }

    private static func nothing(to text: inout JSONWriter) {
        text.object {
            $0.member("from", nil as String?)
            $0.member("to", nil as String?)
        }
    }

    /// What `contact.links_changed` says: of which contact, and by whom.
    static func links(of contact: Contact, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            write(contact, to: &text)
            text.by(author)
        }
    }

    private static func write(_ contact: Contact, to text: inout JSONWriter) {
        text.member("contact") {
            $0.object {
                $0.member("id", contact.id.text)
                $0.member("business", contact.business.text)
                $0.member("name", contact.name)
            }
        }
    }

    private static func change(
        _ name: StaticString, from: String?, to: String?, _ text: inout JSONWriter
    ) {
        text.member(name) {
            $0.object {
                $0.member("from", from)
                $0.member("to", to)
            }
        }
    }
}
