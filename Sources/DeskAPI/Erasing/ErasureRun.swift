import DeskBroker
import DeskHTTP
import DeskLinks
import DeskLog
import DeskModel
import DeskStore
import DeskWeb

/// Erases a conversation or a person piece by piece, for as long as one request may last.
///
/// Each piece is a commit, and the writer serves others between two of them.
struct ErasureRun {
    /// How long a request begins further pieces; it ends when the piece of that moment is done.
    static let longest = Duration.seconds(4)

    /// How much was erased.
    struct Counts: Hashable, Sendable {
        var messages = 0
        var notes = 0
        var scheduled = 0
    }

    private let services: Services
    private let author: Author
    private let end: ContinuousClock.Instant
    private(set) var counts = Counts()

    init(_ services: Services, by author: Author, for time: Duration = Self.longest) {
        self.services = services
        self.author = author
        end = .now + time
    }

    private var isOver: Bool { .now >= end }

    // MARK: A conversation

    /// Erases a conversation from its beginning, or from a place on; where to go on, or nil once all is done.
    mutating func erase(
        _ id: ConversationID, from place: ErasurePlace.Part?
    ) async throws(Problem) -> ErasurePlace? {
        var after = SequenceNumber.start
        let last: SequenceNumber
        if case .conversation(id, let known, let newest)? = place {
            (after, last) = (known, newest)
        } else {
            last = try await begin(id)
        }
        while after < last {
            let page = try await services.asking { store throws(StoreError) in
                try await store.messages(in: id, .after(after), limit: Erasing.mostAtOnce)
            }
            let messages = page.elements.filter { $0.sequence <= last }
            let left = messages.filter { $0.erasedAt == nil }
            counts.messages += try await erase(left, in: id)
            let seen = (page.elements.map(\.sequence) + page.damaged).max()
            guard let seen, page.hasMore else { break }
            after = min(seen, last)
            if isOver { return ErasurePlace(.conversation(id, after: after, upTo: last)) }
        }
        guard try await eraseNotes(of: id, upTo: last) else {
            return ErasurePlace(.conversation(id, after: last, upTo: last))
        }
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.eraseRest(of: id, by: author, isBeginning: false)
        }
        return nil
    }

    /// Withdraws what is to be sent, erases what lies beside the messages, and answers with the newest message then.
    ///
    /// In this order: a message that was due in between is one of those that are erased.
    private mutating func begin(_ id: ConversationID) async throws(Problem) -> SequenceNumber {
        while true {
            let works = try await services.asking { store throws(StoreError) in
                try await store.dueWork(.send, in: id)
            }
            guard !works.isEmpty else { break }
            for work in works where try await withdraw(work) { counts.scheduled += 1 }
        }
        let conversation = try await services.brokering { broker throws(BrokerError) in
            try await broker.eraseRest(of: id, by: author, isBeginning: true)
        }
        return conversation.newest
    }

    /// Withdraws a message; false where it was sent or withdrawn in between.
    private func withdraw(_ work: DueWork) async throws(Problem) -> Bool {
        do throws(BrokerError) {
            try await services.broker.withdraw(work, data: work.eventData())
            return true
        } catch {
            switch error {
            case .refused(.notFound): return false
            case .refused(let refusal): throw Problem(refusal)
            case .store(let failure): throw services.problem(failure)
            }
        }
    }

    private func erase(
        _ messages: [StoredMessage], in id: ConversationID
    ) async throws(Problem) -> Int {
        guard let business = messages.first?.business else { return 0 }
        let ids = messages.map(\.id)
        let replies = services.links.replies(of: ids, in: business)
        return try await services.brokering { broker throws(BrokerError) in
            try await broker.erase(ids, in: id, by: author, objects: replies)
        }
    }

    /// Empties the notes up to those behind a message; false where the time ended before the last.
    private mutating func eraseNotes(
        of id: ConversationID, upTo last: SequenceNumber
    ) async throws(Problem) -> Bool {
        var place: NotePlace? = .beginning
        while let start = place {
            let page = try await services.asking { store throws(StoreError) in
                try await store.notes(in: id, behind: start, limit: NoteErasing.mostAtOnce)
            }
            let notes = page.notes.filter { $0.afterSequence <= last && $0.deletedAt == nil }
                .map(\.id)
            if !notes.isEmpty {
                counts.notes += try await services.brokering { broker throws(BrokerError) in
                    try await broker.erase(notes, in: id)
                }
            }
            place = page.next
            if place != nil, isOver { return false }
        }
        return true
    }

    // MARK: A person

    /// Erases all conversations of a contact, and then what is known of it; where to go on, or nil once all is done.
    mutating func erase(
        _ contact: ContactID, of business: BusinessID, from place: ErasurePlace.Part?
    ) async throws(Problem) -> ErasurePlace? {
        let tree = try await services.asking { store throws(StoreError) in
            try await store.contactTree(of: contact)
        }
        var position: Position?
        if case .events(let known)? = place {
            position = known
        } else {
            if let place = try await eraseConversations(of: tree, from: place) { return place }
        }
        while true {
            let start = position
            let found = try await services.asking { store throws(StoreError) in
                try await store.contactEvents(naming: tree, of: business, after: start)
            }
            if !found.positions.isEmpty {
                try await services.brokering { broker throws(BrokerError) in
                    try await broker.eraseContactEvents(
                        at: found.positions, about: tree, of: business)
                }
            }
            guard let next = found.next else { break }
            position = next
            if isOver { return ErasurePlace(.events(after: next)) }
        }
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.erase(contact, of: business, by: author)
        }
        return nil
    }

    private mutating func eraseConversations(
        of tree: [ContactID], from place: ErasurePlace.Part?
    ) async throws(Problem) -> ErasurePlace? {
        let all = tree.map { ConversationID($0.value) }
        var rest = all[...]
        if case .conversation(let id, _, _)? = place, let known = all.firstIndex(of: id) {
            rest = all[known...]
        }
        for id in rest {
            if let next = try await erase(id, from: id == rest.first ? place : nil) {
                return next
            }
            // The next one is begun by another request: its place is before its first message.
            guard isOver, id != rest.last,
                let following = rest.drop(while: { $0 != id }).dropFirst().first
            else { continue }
            return ErasurePlace(
                .conversation(following, after: .start, upTo: try await begin(following)))
        }
        return nil
    }
}
