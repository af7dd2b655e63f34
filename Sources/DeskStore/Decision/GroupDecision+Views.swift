import DeskJSON
import DeskModel

extension GroupDecision {
    /// Makes a view or replaces one; the same again changes nothing.
    mutating func save(_ step: SaveView) throws(Undecided) -> SavedView? {
        let view = step.view
        guard let scope = view.scope else { throw .refused(.unusable) }
        if let business = view.business { _ = try require(business) }
        let before = try savedView(view.id)
        guard (before == nil) == step.isNew else { throw .refused(.notFound) }
        if let before { try requireOwn(before, by: step.author) }
        // Everything that may be unknown is asked for before anything is decided.
        if let business = before?.business { _ = try require(business) }
        guard view != before else { return before }
        if before?.scope != scope {
            guard let count = rows.viewCounts[scope] else { throw .needs(.viewCount(scope)) }
            guard count < SavedView.most else { throw .refused(.unusable) }
            rows.viewCounts[scope] = count + 1
            if let left = before?.scope, let others = rows.viewCounts[left] {
                rows.viewCounts[left] = others - 1
            }
        }
        if let before, before.owner == nil, view.owner != nil || view.business != before.business {
            try appendRemoval(of: before, by: step.author, at: step.time)
        }
        rows.savedViews.updateValue(view, forKey: view.id)
        changes.append(.savedView(view))
        changes.append(
            .registry(.contents(.saveView(view.id, of: view.business)), author: step.author))
        if let business = view.business, view.owner == nil {
            append(
                .viewSaved, of: business, beside: nil,
                .json(SavedViewText.event(view, by: step.author)),
                EventPlace(business: try require(business), conversation: nil, note: nil),
                at: step.time)
        }
        return before
    }

    /// Removes a view.
    mutating func remove(_ step: RemoveView) throws(Undecided) -> SavedView {
        guard let view = try savedView(step.id) else { throw .refused(.notFound) }
        try requireOwn(view, by: step.author)
        if view.owner == nil { try appendRemoval(of: view, by: step.author, at: step.time) }
        rows.savedViews.updateValue(nil, forKey: view.id)
        if let scope = view.scope, let count = rows.viewCounts[scope] {
            rows.viewCounts[scope] = count - 1
        }
        changes.append(.removedView(view.id))
        changes.append(
            .registry(.contents(.removeView(view.id, of: view.business)), author: step.author))
        return view
    }

    private func savedView(_ id: SavedViewID) throws(Undecided) -> SavedView? {
        guard let found = rows.savedViews[id] else { throw .needs(.savedView(id)) }
        return found
    }

    /// One that an agent has alone is nobody else's to change.
    private func requireOwn(_ view: SavedView, by author: Author) throws(Undecided) {
        guard let owner = view.owner, author != .agent(owner) else { return }
        throw .refused(.notFound)
    }

    private mutating func appendRemoval(
        of view: SavedView, by author: Author, at time: Timestamp
    ) throws(Undecided) {
        guard let business = view.business else { return }
        append(
            .viewRemoved, of: business, beside: nil,
            .json(SavedViewText.removal(view, by: author)),
            EventPlace(business: try require(business), conversation: nil, note: nil), at: time)
    }
}

/// The data of the events of views, as JSON text.
enum SavedViewText {
    /// What `view.saved` says.
    static func event(_ view: SavedView, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("view") {
                $0.object {
                    $0.member("id", view.id.text)
                    $0.member("business", view.business?.text)
                    $0.member("name", view.name)
                    $0.member("order", view.order)
                    $0.member("filter", raw: view.filter)
                }
            }
            text.by(author)
        }
    }

    /// What `view.removed` says.
    static func removal(_ view: SavedView, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("view") {
                $0.object {
                    $0.member("id", view.id.text)
                    $0.member("business", view.business?.text)
                }
            }
            text.by(author)
        }
    }
}
