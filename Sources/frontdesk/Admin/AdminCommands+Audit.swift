import DeskCommandLine
import DeskModel
import DeskStore

extension AdminCommands {
    /// Records that the audit prints when no number is named, and at most.
    private static let (usualRecords, mostRecords) = (50, 300)

    /// Prints who changed what, newest first: of the whole server, or of a business.
    func printAudit(_ parsed: Parsed) async throws(StoreError) -> Result {
        var filter = AuditFilter()
        if let word = parsed["business"] {
            switch Self.find(word, in: try await store.businesses()) {
            case .failure(let failed): return failed.result
            case .success(let found): filter.business = found.id
            }
        }
        filter.kind = parsed["kind"]
        let limit = parsed["limit"].map { Int($0) ?? 0 } ?? Self.usualRecords
        guard (1...Self.mostRecords).contains(limit) else {
            return .failed("--limit is a number from 1 to \(Self.mostRecords)")
        }
        var edge = PageEdge<Int64>.start
        if let word = parsed["before"] {
            guard let number = Int64(word), number > 0 else {
                return .failed("--before is the number of a record, its first column")
            }
            edge = .after(number)
        }
        let page = try await store.auditRecords(filter, at: edge, limit: limit)
        guard !page.elements.isEmpty else {
            let found = filter.kind.map { " of the kind \"\($0)\"; docs/audit.md lists the kinds" }
            return .done("There are no records\(found ?? "").")
        }
        var names: [Author: String] = [:]
        for author in Set(page.elements.map(\.author)) {
            names[author] =
                switch author {
                case .agent(let id): try await store.findAgent(id)?.name
                case .key(let id): try await store.findKey(id)?.name
                default: nil
                }
        }
        var rows = page.elements.map { record in
            let name = names[record.author] ?? record.author.name
            let author = name.isEmpty ? record.author.kind : "\(record.author.kind) \(name)"
            return [
                String(record.number), record.time.text, record.kind, "by \(author)",
                record.subject, record.detail,
            ].filter { !$0.isEmpty }.joined(separator: "  ")
        }
        if page.hasMore, let last = page.elements.last {
            rows.append("Older ones: --before \(last.number)")
        }
        return .done(rows.joined(separator: "\n"))
    }
}
