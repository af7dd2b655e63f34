import DeskJSON
package import DeskModel
package import DeskStore

extension JSONWriter {
    /// Writes an event of a thread behind the message that it follows.
    package mutating func threadEvent(
        _ event: ThreadEvent, after sequence: SequenceNumber, _ authorNames: AuthorNames
    ) {
        object { text in
            text.member("id", event.id.text)
            text.member("type", event.type.rawValue)
            text.member("time", event.time)
            text.member("afterSequence", Int(sequence.value))
            text.member("revision") { text in
                if let revision = event.revision {
                    text.number(Int(revision.value))
                } else {
                    text.null()
                }
            }
            text.member("by") { text in
                if let step = event.step {
                    text.author(step.author, authorNames)
                } else {
                    text.null()
                }
            }
            text.member("state", event.step?.state.rawValue)
            text.member("assignee") { text in
                guard let assignee = event.step?.assignee else { return text.null() }
                text.object {
                    $0.member("id", assignee.text)
                    $0.member("name", authorNames.name(of: assignee))
                }
            }
            text.member("snoozedUntil", event.step?.snoozedUntil)
            if case .json(let bytes) = event.body {
                text.member("data", raw: bytes)
            } else {
                text.member("data") { text in
                    text.object { text in
                        guard let change = event.step?.change else { return }
                        text.member("change") { $0.change(change, authorNames) }
                    }
                }
            }
        }
    }
}

extension AuthorNames {
    /// Loads every name that a view of these events shows.
    package func load(_ events: [ThreadEvent]) async throws(StoreError) {
        var authors: Set<Author> = []
        for step in events.compactMap(\.step) {
            authors.insert(step.author)
            if let assignee = step.assignee { authors.insert(.agent(assignee)) }
            if case .assignee(let from?, _, _) = step.change { authors.insert(.agent(from)) }
            if case .satisfaction(let step) = step.change, let agent = step.question.work.assignee {
                authors.insert(.agent(agent))
            }
        }
        try await load(authors)
    }
}
