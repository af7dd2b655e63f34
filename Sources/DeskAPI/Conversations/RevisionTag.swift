import DeskBroker
import DeskHTTP
import DeskModel
import DeskWeb

/// A conversation's revision as an entity tag (RFC 9110 8.8.3): the number in quotes.
enum RevisionTag {
    /// The tag as written in `ETag`.
    static func text(_ revision: Revision) -> String { "\"\(revision)\"" }

    /// What `If-Match` demands; always where there is none, or for `*`.
    ///
    /// - Throws: `bad_request` for a field that lists no tag.
    static func condition(of request: Request) throws(Problem) -> RevisionCondition {
        guard let field = request.headers["if-match"] else { return .always }
        var revisions: [Revision] = []
        var hasTag = false
        for part in field.split(separator: ",") {
            let tag = part.drop { $0 == " " || $0 == "\t" }
                .reversed().drop { $0 == " " || $0 == "\t" }.reversed()
            let text = String(tag)
            if text == "*" { return .always }
            guard isTag(text) else { throw noTag }
            hasTag = true
            // A weak tag, and one that we never gave, is no revision of the conversation.
            guard text.hasPrefix("\""),
                let number = DecimalText.number(String(text.dropFirst().dropLast()))
            else { continue }
            revisions.append(Revision(Int64(number)))
        }
        guard hasTag else { throw noTag }
        return .anyOf(revisions)
    }

    private static let noTag = Problem(
        .badRequest, "If-Match is the ETag of a conversation, its revision in quotes: \"17\".")

    private static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.count >= 2 && opaque.first == "\"" && opaque.last == "\""
    }
}
