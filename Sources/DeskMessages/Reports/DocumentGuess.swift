public import DeskJSON

extension Rulebook {
    /// The document whose schema a text names in `$schema`; nil when it names none, or a message's.
    public func document(namedBy root: JSONValue) -> String? {
        guard let name = root["$schema"]?.string, name.hasSuffix(".json"),
            let start = name.utf8Index(after: Self.schemaRoot)
        else { return nil }
        let path = String(name[start...].dropLast(".json".utf8.count))
        return schema(ofDocument: path) == nil ? nil : path
    }

    /// The document that the nearest folder above a file is called like, such as
    /// `drafts/callback/payment-gateway-request/a.json`; nil when none is.
    public func document(inFolderOf path: String) -> String? {
        var folders = path.split(separator: "/").dropLast()
        while !folders.isEmpty {
            for count in stride(from: min(folders.count, Self.maximumDocumentSteps), to: 0, by: -1)
            {
                let name = folders.suffix(count).joined(separator: "/")
                if schema(ofDocument: name) != nil { return name }
            }
            folders.removeLast()
        }
        return nil
    }

    /// Most steps in a document's name, as in `2017/outbound/text`.
    private static let maximumDocumentSteps = 3
}

extension String {
    /// The place behind the first occurrence of a text, compared as bytes.
    fileprivate func utf8Index(after part: String) -> String.Index? {
        let bytes = Array(part.utf8)
        var place = utf8.startIndex
        while place < utf8.endIndex {
            if utf8[place...].starts(with: bytes) {
                return utf8.index(place, offsetBy: bytes.count)
            }
            utf8.formIndex(after: &place)
        }
        return nil
    }
}
