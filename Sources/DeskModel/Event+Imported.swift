extension Event {
    /// Whether it came with an import: rules, webhooks, links, reports and pages pass over it.
    public var isImported: Bool {
        switch body {
        case .message(let message): message.facts.importedFrom != nil
        case .conversation(let step): step.isImported
        // Its text may be changed and erased afterwards, as any other's.
        case .note(let note): type == .noteAdded && note.isImported
        case .json(let data): data.hasSuffix(Self.importedMark)
        }
    }

    /// What the data of an imported event that is a JSON object ends with.
    public static let importedMark = Array(#","imported":true}"#.utf8)
}

extension [UInt8] {
    /// Whether the last bytes are these.
    fileprivate func hasSuffix(_ end: [UInt8]) -> Bool {
        count >= end.count && suffix(end.count).elementsEqual(end)
    }
}
