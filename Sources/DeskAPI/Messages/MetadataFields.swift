import DeskJSON
import DeskModel
import DeskWeb

/// Reads the member `metadata` of requests.
extension Fields {
    private static let allowed =
        "an object of at most \(Metadata.most) texts by their names"

    /// What a request changes of metadata: null removes a name, and names that it leaves out stay.
    ///
    /// Nil when the request does not speak of it. The limit is judged on what it makes of `before`.
    mutating func metadataChange(of before: Metadata) -> Metadata.Change? {
        guard let value = value("metadata"), isObject(value) else { return nil }
        let change = metadata(in: value, mayRemove: true)
        let count = before.changed(by: change).count
        if count > Metadata.most { noteMany(value, count) }
        return change
    }

    /// What a change of several conversations says of metadata, or a condition demands of it, in a member of this
    /// name; nil when the request does not speak of it.
    ///
    /// Few names: the answer has what each conversation had. Whether a conversation has room is decided with its change.
    mutating func metadataOfMany(_ name: String = "metadata") -> Metadata.Change? {
        guard let value = value(name), isObject(value) else { return nil }
        let most = BulkChange.mostMetadata
        if value.count > most {
            note(
                RequestFinding(
                    .value, at: value, found: "\(value.count) names",
                    allowed: "at most \(most) names",
                    limit: most, actual: value.count, fix: "Send fewer names at a time."))
        }
        return metadata(in: value, mayRemove: true)
    }

    /// The metadata of a message that is sent; none where the request has none.
    mutating func metadata() -> Metadata {
        guard let value = value("metadata"), isObject(value) else { return Metadata() }
        let metadata = Metadata().changed(by: metadata(in: value, mayRemove: false))
        if metadata.count > Metadata.most { noteMany(value, metadata.count) }
        return metadata
    }

    /// The metadata of an imported line: an object, or the text of one, as an export has it.
    mutating func importedMetadata() -> Metadata {
        guard let value = value("metadata"), !value.isNull else { return Metadata() }
        // Safe: what is no JSON is reported as the text that it is.
        let parsed = value.stringBytes.flatMap { try? JSONDocument(parsing: $0).root }
        guard isObject(parsed ?? value) else { return Metadata() }
        let metadata = Metadata().changed(by: metadata(in: parsed ?? value, mayRemove: false))
        if metadata.count > Metadata.most { noteMany(value, metadata.count) }
        return metadata
    }

    private mutating func isObject(_ value: JSONValue) -> Bool {
        if value.kind == .object { return true }
        note(.type, value, Self.allowed, #"Write {"order":"A-17"}."#)
        return false
    }

    private mutating func noteMany(_ value: JSONValue, _ count: Int) {
        note(
            RequestFinding(
                .value, at: value, found: "\(count) names",
                allowed: "at most \(Metadata.most) names",
                limit: Metadata.most, actual: count, fix: "Remove names, or send fewer."))
    }

    private mutating func metadata(in value: JSONValue, mayRemove: Bool) -> Metadata.Change {
        var change = Metadata.Change()
        // A change may replace all names by others; what is beyond that is too much in any case.
        for member in value.members.prefix(2 * Metadata.most) {
            let name = member.key
            noteLength(
                "a name", name, 1...Metadata.maximumNameBytes, at: member.value,
                fix: "Shorten the name.")
            if mayRemove, member.value.isNull {
                change.set(name, to: nil)
                continue
            }
            guard let text = member.value.string else {
                let allowed = "a text of at most \(Metadata.maximumValueBytes) bytes"
                note(
                    .type, member.value, mayRemove ? "\(allowed), or null" : allowed,
                    "Send the value as a JSON string.")
                continue
            }
            noteLength(
                "a text", text, 0...Metadata.maximumValueBytes, at: member.value,
                fix: "Shorten the value.")
            change.set(name, to: text)
        }
        if value.count > 2 * Metadata.most { noteMany(value, value.count) }
        return change
    }

    private mutating func noteLength(
        _ what: String, _ text: String, _ bytes: ClosedRange<Int>, at value: JSONValue, fix: String
    ) {
        let count = text.utf8.count
        if text.utf8.contains(0) {
            // No text in a database of PostgreSQL's has it.
            note(
                RequestFinding(
                    .value, at: value, found: "\(what) with the character U+0000",
                    allowed: "every other character", fix: "Take the character U+0000 out."))
        } else if !bytes.contains(count) {
            note(
                RequestFinding(
                    .value, at: value, found: "\(what) of \(count) bytes",
                    allowed: "\(what) of \(bytes.lowerBound) to \(bytes.upperBound) bytes",
                    limit: count < bytes.lowerBound ? bytes.lowerBound : bytes.upperBound,
                    actual: count, fix: fix))
        }
    }
}
