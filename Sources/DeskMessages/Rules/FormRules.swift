import DeskBytes
import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Judges a form's pages as a graph: start and successors exist, an end is reachable, no page
    /// is out of reach.
    mutating func judgeForm(_ form: JSONValue) {
        guard let data = form["data"], let pages = data["pages"]?.list, !pages.isEmpty else {
            return
        }
        noteRepeats(of: pages.compactMap { $0["pageIdentifier"] }, in: "the form's pages")
        for page in pages {
            let items = items(of: page)
            noteRepeats(of: items.compactMap { $0["identifier"] }, in: "the page")
            judgeFields(of: page, items)
        }
        var places: [ByteString: Int] = [:]
        for (index, page) in pages.enumerated() {
            guard let name = page["pageIdentifier"]?.stringBytes else { return }
            if places[ByteString(name)] == nil { places[ByteString(name)] = index }
        }
        let ways = pages.map { successors(of: $0) }
        for node in ways.joined() where place(node, places) == nil {
            noteDangling(node, places)
        }
        guard let start = data["startPageIdentifier"], start.isString, !start.isEmptyText else {
            return
        }
        guard let first = place(start, places) else { return noteDangling(start, places) }
        // Two pages of one name make the ways ambiguous; there is a finding for that already.
        guard places.count == pages.count else { return }
        walk(pages, from: first, ways.map { $0.compactMap { place($0, places) } }, start)
    }

    private func place(_ node: JSONValue, _ places: [ByteString: Int]) -> Int? {
        node.stringBytes.flatMap { places[ByteString($0)] }
    }

    private func items(of page: JSONValue) -> [JSONValue] {
        (page[stated: "items"] ?? page[stated: "pageItems"])?.list ?? []
    }

    private func successors(of page: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        found.append(contentsOf: items(of: page).compactMap { $0["nextPageIdentifier"] })
        if let next = page["nextPageIdentifier"] { found.append(next) }
        // The schema reports an empty name, and it leads nowhere.
        return found.filter { $0.isString && !$0.isEmptyText }
    }

    private mutating func walk(
        _ pages: [JSONValue], from first: Int, _ successors: [[Int]], _ start: JSONValue
    ) {
        var isReached = [Bool](repeating: false, count: pages.count)
        var waiting = [first]
        isReached[first] = true
        var reachesEnd = false
        while let index = waiting.popLast() {
            let page = pages[index]
            // An item without a successor of its own follows the page's.
            reachesEnd =
                reachesEnd || page[stated: "nextPageIdentifier"].map(\.isEmptyText) ?? true
                || page["submitForm"]?.bool == true
            for next in successors[index] where !isReached[next] {
                isReached[next] = true
                waiting.append(next)
            }
        }
        if !reachesEnd {
            note(
                .formWithoutEnd, at: start, found: "pages that only lead to each other",
                allowed: "a way to a page without nextPageIdentifier or with submitForm",
                fix: "Let one page be the last, or set submitForm on it.")
        }
        for (index, page) in pages.enumerated() where !isReached[index] {
            note(
                .formPageUnreachable, at: page, found: "a page that no other leads to",
                allowed: "pages on a way from startPageIdentifier",
                fix: "Name it in nextPageIdentifier of another page, or remove it.")
        }
    }

    private mutating func noteDangling(_ node: JSONValue, _ places: [ByteString: Int]) {
        guard mayNote(.formPageUnknown) else { return }
        let meant = meant(by: node, among: places.keys)
        note(
            .formPageUnknown, at: node, found: "\(node.quoted), which is no page",
            allowed: "the pageIdentifier of a page of this form",
            fix: meant.map { "Did you mean \"\($0)\"?" } ?? "Add the page, or correct the name.",
            edits: meant.map { [.replace(node, withString: $0)] } ?? [])
    }
}
