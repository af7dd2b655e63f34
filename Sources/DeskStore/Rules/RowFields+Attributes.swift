package import DeskModel

/// The texts in which rows have attributes.
extension RowFields {
    /// Writes values by their keys, in the keys' order; nil for none.
    package static func write(_ attributes: [String: AttributeValue]) -> String? {
        guard !attributes.isEmpty else { return nil }
        return write(
            attributes.sorted { $0.key < $1.key }.map { key, value in
                var record = Record()
                record["key"] = key
                record["value"] = value.stored
                return record
            })
    }

    /// Reads values by their keys.
    package static func readAttributes(_ text: String) -> [String: AttributeValue]? {
        guard let records = read(text, unnamed: []) else { return nil }
        var attributes: [String: AttributeValue] = [:]
        for record in records {
            guard let key = record["key"],
                let value = record["value"].flatMap({ AttributeValue(stored: $0) })
            else { return nil }
            attributes[key] = value
        }
        return attributes
    }

    /// Writes changes of values.
    package static func write(_ steps: [AttributeStep]) -> String {
        write(
            steps.map { step in
                var record = Record()
                record["key"] = step.key
                record["from"] = step.from?.stored
                record["to"] = step.to?.stored
                return record
            })
    }

    /// Reads changes of values.
    package static func readSteps(_ text: String) -> [AttributeStep]? {
        guard let records = read(text, unnamed: []) else { return nil }
        var steps: [AttributeStep] = []
        for record in records {
            guard let key = record["key"] else { return nil }
            steps.append(
                AttributeStep(
                    key: key, from: record["from"].flatMap { AttributeValue(stored: $0) },
                    to: record["to"].flatMap { AttributeValue(stored: $0) }))
        }
        return steps
    }

    /// Writes the merge of a contact.
    package static func write(_ merge: ContactMerge) -> String {
        var record = Record()
        record["into"] = merge.into.text
        record["author_kind"] = merge.author.kind
        record["author_name"] = merge.author.name
        record["time"] = String(merge.time.milliseconds)
        record["name"] = merge.name
        record["external_id"] = merge.externalID
        record["notes"] = merge.notes
        record["attributes"] = write(merge.attributes)
        return write([record])
    }

    /// Reads the merge of a contact.
    package static func readMerge(_ text: String) -> ContactMerge? {
        guard let records = read(text, unnamed: []), records.count == 1,
            let record = records.first, let into = record["into"].flatMap({ ContactID($0) }),
            let kind = record["author_kind"], let name = record["author_name"],
            let author = Author(kind: kind, name: name),
            let time = record["time"].flatMap({ Int64($0) }), let notes = record["notes"],
            let attributes = readAttributes(record["attributes"] ?? "")
        else { return nil }
        return ContactMerge(
            into: into, author: author, time: Timestamp(milliseconds: time), name: record["name"],
            externalID: record["external_id"], notes: notes, attributes: attributes)
    }

    /// Writes texts in their order.
    package static func write(texts: [String]) -> String {
        write(
            texts.map { text in
                var record = Record()
                record["text"] = text
                return record
            })
    }

    /// Reads texts in their order.
    package static func readTexts(_ text: String) -> [String]? {
        guard let records = read(text, unnamed: []) else { return nil }
        let texts = records.compactMap { $0["text"] }
        return texts.count == records.count ? texts : nil
    }
}
