/// The validators of a resource, and the evaluation of a client's preconditions (RFC 9110 13).
public struct Validators: Sendable {
    /// What to do with a GET or HEAD.
    public enum Verdict: Sendable, Equatable {
        case send
        case notModified
        case preconditionFailed
    }

    /// The strong entity tag with its quotes.
    public let entityTag: String
    /// When the content last changed, in seconds since 1970; nil when unknown.
    public let modifiedAt: Int?

    /// Makes validators from text that changes with the content, such as its digest in hex.
    public init(contentMark: String, modifiedAt: Int? = nil) {
        let safe = contentMark.utf8.filter { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        entityTag = "\"\(String(decoding: safe, as: UTF8.self))\""
        self.modifiedAt = modifiedAt
    }

    /// The fields that go with the content, and with 304 too.
    public func write(into headers: inout HeaderFields) {
        headers.set("ETag", entityTag)
        if let modifiedAt {
            headers.set("Last-Modified", HTTPDate.text(secondsSince1970: modifiedAt))
        }
    }

    /// Judges the request's conditions in the order of RFC 9110 13.2.2.
    public func judge(_ request: HeaderFields) -> Verdict {
        if let wanted = request["if-match"] {
            guard lists(wanted, weak: false) else { return .preconditionFailed }
        } else if let text = request["if-unmodified-since"], let modifiedAt,
            let limit = HTTPDate.secondsSince1970(text), modifiedAt > limit
        {
            return .preconditionFailed
        }
        if let known = request["if-none-match"] {
            return lists(known, weak: true) ? .notModified : .send
        }
        if let text = request["if-modified-since"], let modifiedAt,
            let since = HTTPDate.secondsSince1970(text), modifiedAt <= since
        {
            return .notModified
        }
        return .send
    }

    /// Whether a range may be sent: there is no `If-Range`, or it names this very content.
    public func allowsRange(_ request: HeaderFields) -> Bool {
        guard let condition = request["if-range"] else { return true }
        return condition.utf8.elementsEqual(entityTag.utf8)
    }

    private func lists(_ field: String, weak: Bool) -> Bool {
        field.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let tag = TokenList.trimmed(part)
            if tag.elementsEqual("*".utf8) { return true }
            if weak, tag.starts(with: "W/".utf8) {
                return tag.dropFirst(2).elementsEqual(entityTag.utf8)
            }
            return tag.elementsEqual(entityTag.utf8)
        }
    }
}
