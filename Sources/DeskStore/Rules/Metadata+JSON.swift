package import DeskJSON
package import DeskModel

extension Metadata {
    /// It as a JSON object's text, which is how rows and archives have it.
    package var json: [UInt8] {
        var text = JSONWriter(capacity: 64)
        text.metadata(self)
        return text.bytes
    }

    /// Reads what `json` wrote; nil for anything else.
    package init?(json: [UInt8]) {
        // Safe: what cannot be read is damage, and the caller says so.
        guard let root = (try? JSONDocument(parsing: json))?.root, root.kind == .object else {
            return nil
        }
        self.init()
        for member in root.members {
            guard let value = member.value.string else { return nil }
            self[member.key] = value
        }
    }
}

extension JSONWriter {
    /// Writes metadata as an object, in the order of the names' bytes.
    package mutating func metadata(_ metadata: Metadata) {
        object { text in
            for member in metadata.members {
                text.key(text: member.name)
                text.string(member.value)
            }
        }
    }

    /// Writes which names a change gave other values and which it removed: an event keeps no value, since it
    /// could not be emptied.
    mutating func names(from before: Metadata, to after: Metadata) {
        let names = before.names(changedTo: after)
        object { text in
            text.member("set") { text in
                text.array { text in for name in names.set { text.string(name) } }
            }
            text.member("removed") { text in
                text.array { text in for name in names.removed { text.string(name) } }
            }
        }
    }
}

extension MessageFacts {
    // A field that never travels, as that of an import: it is covered by the row's checksum, goes with the
    // other content, and is in archives of every version.
    private static let metadataName = "metadata"

    /// The metadata as a JSON object's text; nil for none.
    package var metadataText: String? {
        headers.first { $0.name == Self.metadataName }?.value
    }

    /// What the sender gave beside the payload; it never changes and is never sent on.
    package var metadata: Metadata {
        get { metadataText.flatMap { Metadata(json: Array($0.utf8)) } ?? Metadata() }
        set {
            headers.removeAll { $0.name == Self.metadataName }
            guard !newValue.isEmpty else { return }
            headers.append(
                HeaderField(
                    name: Self.metadataName, value: String(decoding: newValue.json, as: UTF8.self)))
        }
    }
}
