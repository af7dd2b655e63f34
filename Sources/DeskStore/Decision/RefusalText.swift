import DeskJSON

/// The data of `message.refused_upstream`, as JSON text.
package enum RefusalText {
    /// The data without the sentence that says why: a receiver may have quoted the message in it; nil for what is no object.
    package static func emptied(_ data: [UInt8]) -> [UInt8]? {
        // Safe: what cannot be read is left as it is, and was written by another program.
        guard let root = try? JSONDocument(parsing: data).root, root.kind == .object else {
            return nil
        }
        return JSONWriter.object(capacity: data.count) { text in
            for member in root.members {
                text.key(text: member.key)
                if member.key == "detail" {
                    text.string("")
                } else {
                    text.raw(member.value.rawBytes)
                }
            }
        }
    }
}
