import DeskJSON
import DeskMessages
import DeskModel
import DeskStore

/// A message that is sent later: what was posted, and by what it is judged once more when it is due.
struct DelayedMessage: Equatable {
    /// The bytes as they were posted, or the template's payload with its gaps filled.
    let posted: [UInt8]
    /// The profile of the validation.
    let profile: Profile
    /// Where it entered the server.
    let origin: Origin
    /// What it was when it was judged first.
    let kind: MessageKind
    /// The line for lists.
    let summary: String
    /// The last message that its author has seen; nil for whatever others write.
    let lastSeen: SequenceNumber?
    /// The template that it was made of.
    let template: TemplateUse?
    /// What is kept with it.
    let metadata: Metadata

    /// The same as a JSON object's text; what was posted is a text in it, so that each byte is kept.
    var bytes: [UInt8] {
        JSONWriter.object(capacity: posted.count + 512) { text in
            text.member("profile", profile.rawValue)
            text.member("origin", origin.rawValue)
            text.member("kind", kind.rawValue)
            text.member("summary", summary)
            if let lastSeen { text.member("lastSeen", Int(lastSeen.value)) }
            if let template {
                text.member("template") {
                    $0.object {
                        $0.member("name", template.name.text)
                        $0.member("version", template.version)
                        $0.member("values") { $0.string(utf8: template.values) }
                    }
                }
            }
            if !metadata.isEmpty { text.member("metadata") { $0.metadata(metadata) } }
            text.member("posted") { $0.string(utf8: posted) }
        }
    }

    /// Puts a message together.
    init(
        posted: [UInt8], profile: Profile, origin: Origin, kind: MessageKind, summary: String,
        lastSeen: SequenceNumber?, template: TemplateUse?, metadata: Metadata
    ) {
        self.posted = posted
        self.profile = profile
        self.origin = origin
        self.kind = kind
        self.summary = summary
        self.lastSeen = lastSeen
        self.template = template
        self.metadata = metadata
    }

    /// Reads what `bytes` wrote; nil for anything else.
    init?(_ bytes: [UInt8]) {
        // Safe: what cannot be read is no message, and is refused as one.
        guard let root = (try? JSONDocument(parsing: bytes, limits: .unlimited))?.root,
            let posted = root["posted"]?.stringBytes,
            let profile = root["profile"]?.string.flatMap({ Profile(rawValue: $0) }),
            let origin = root["origin"]?.string.flatMap({ Origin(rawValue: $0) }),
            let kind = root["kind"]?.string.flatMap({ MessageKind(rawValue: $0) }),
            let summary = root["summary"]?.string
        else { return nil }
        var template: TemplateUse?
        if let used = root["template"] {
            guard let name = used["name"]?.string.flatMap({ TemplateName($0) }),
                let version = used["version"]?.int, let values = used["values"]?.stringBytes
            else { return nil }
            template = TemplateUse(name: name, version: version, values: values)
        }
        var metadata = Metadata()
        if let kept = root["metadata"] {
            guard let read = Metadata(json: Array(kept.rawBytes)) else { return nil }
            metadata = read
        }
        self.init(
            posted: posted, profile: profile, origin: origin, kind: kind, summary: summary,
            lastSeen: root["lastSeen"]?.int.map { SequenceNumber(Int64($0)) }, template: template,
            metadata: metadata)
    }
}
