import DeskBroker
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers the routes that read messages.
struct ThreadRoutes {
    let context: RequestContext
    var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let size = try context.request.query.pageSize(services.limits.web)
        let range = try range()
        // Before the messages, so that a reader who follows from here misses nothing.
        let head = services.broker.head
        let authorNames = services.authorNames
        let (found, notes, events) = try await services.asking { store throws(StoreError) in
            let found = try await store.messages(in: conversation.id, range, limit: size)
            let (notes, events) = try await remarks(beside: found, range, conversation, store)
            try await authorNames.load(Set(found.elements.map(\.facts.author)))
            try await authorNames.load(notes)
            try await authorNames.load(events)
            return (found, notes, events)
        }
        let payloadBytes = found.elements.reduce(0) { $0 + $1.payload.byteCount }
        return .json(
            JSONWriter.object(capacity: payloadBytes + 1_024 * (found.elements.count + 1)) { text in
                text.member("data") { text in
                    text.array { text in
                        for message in found.elements { text.message(message, authorNames) }
                    }
                }
                text.threadPage(
                    range, hasMore: found.hasMore,
                    numbers: found.elements.map(\.sequence) + found.damaged)
                text.damaged(found.damaged)
                text.member("notes") { text in
                    text.array { text in
                        for note in notes { text.note(note, authorNames) }
                    }
                }
                text.member("events") { text in
                    text.array { text in
                        for event in events {
                            text.threadEvent(
                                event, after: Self.place(of: event, in: found, range), authorNames)
                        }
                    }
                }
                text.member("head", head.text)
            })
    }

    func get() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        guard let id = context.request.parameters["message"].flatMap({ MessageID($0) }) else {
            throw .notFound
        }
        let authorNames = services.authorNames
        let found = try await services.asking { store throws(StoreError) in
            let found = try await store.findMessage(id, in: conversation.id)
            if let found { try await authorNames.load([found.facts.author]) }
            return found
        }
        guard let found else { throw .notFound }
        var text = JSONWriter(capacity: found.payload.byteCount + 1_024)
        text.message(found, authorNames)
        return .json(text.bytes)
    }

    /// The part of the thread that the query names.
    func range() throws(Problem) -> ThreadRange { try context.request.query.threadRange() }

    /// The number of the page's last message before an event; of a score, that of the message that gives it,
    /// which the log has right behind the event.
    private static func place(
        of event: ThreadEvent, in page: Page<StoredMessage>, _ range: ThreadRange
    ) -> SequenceNumber {
        let before = page.elements.last { $0.position < event.id.position }?.sequence
        if event.type == .satisfactionAnswered, let before { return before.next }
        if let before { return before }
        if case .after(let sequence) = range { return sequence }
        return .start
    }

    /// The notes and events between the messages of a page, and before the very first.
    private func remarks(
        beside page: Page<StoredMessage>, _ range: ThreadRange, _ conversation: Conversation,
        _ store: any Store
    ) async throws(StoreError) -> ([Note], [ThreadEvent]) {
        let first: SequenceNumber
        switch range {
        case .newest, .before:
            first = page.hasMore ? page.elements.first?.sequence ?? .start : .start
        case .after(let sequence): first = sequence
        }
        let last = page.elements.last?.sequence ?? conversation.newest
        guard first <= last else { return ([], []) }
        return (
            try await store.notes(in: conversation.id, from: first, to: last),
            try await store.threadEvents(in: conversation.id, from: first, to: last)
        )
    }
}
