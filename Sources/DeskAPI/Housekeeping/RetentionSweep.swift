import DeskLog
import DeskModel
import DeskStore

/// One look at all content that may have come of age: what is old in it, and how far each business has come.
struct RetentionSweep {
    /// A conversation, and what is old in it.
    typealias Old<ID: Hashable & Sendable> = (conversation: ConversationID, aged: [Aged<ID>])

    /// What is looked through: first one, then the other.
    enum Kind {
        case messages, notes
    }

    /// How far one kind of one business has come.
    private struct Reach {
        /// The first whose content stays.
        var firstKept: Int64?
        var end: Int64
        var erased = 0

        /// How far it has come, once everything was looked at up to the end.
        var progress: Int64 { firstKept.map { max(0, $0 - 1) } ?? end }

        mutating func keep(_ place: Int64) { firstKept = min(firstKept ?? place, place) }
    }

    /// How far one business has come.
    private struct Track {
        let before: Retention
        let limit: Timestamp
        var messages: Reach
        var notes: Reach
        let held: HeldContent
        var conversations: Set<ConversationID> = []
        var skipped = 0
        var kept = 0

        init(_ before: Retention, keeping held: HeldContent, at now: Timestamp) {
            self.before = before
            self.held = held
            limit = before.limit(at: now)
            messages = Reach(end: before.progress.position.value)
            notes = Reach(end: before.progress.note)
        }

        subscript(kind: Kind) -> Reach {
            get {
                switch kind {
                case .messages: messages
                case .notes: notes
                }
            }
            set {
                switch kind {
                case .messages: messages = newValue
                case .notes: notes = newValue
                }
            }
        }
    }

    private var tracks: [BusinessID: Track] = [:]
    /// Conversations that could not be erased in: each is tried once in a sweep.
    private var damaged: Set<ConversationID> = []

    /// Begins behind what was erased before.
    ///
    /// - Parameter held: what is on legal hold; it is looked at again by each sweep.
    init(of due: [Retention], keeping held: [BusinessID: HeldContent], at now: Timestamp) {
        for one in due {
            let kept = held[one.business] ?? HeldContent()
            tracks[one.business] = Track(one, keeping: kept, at: now)
        }
    }

    /// Behind which position the first business of all goes on.
    var firstPosition: Position { tracks.values.map(\.before.progress.position).min() ?? .start }

    /// Behind which number of a note the first business of all goes on.
    var firstNote: Int64 { tracks.values.map(\.before.progress.note).min() ?? 0 }

    /// The choice that a business is judged by, and the moment from before which content is erased; nil where the
    /// sweep has ended for it.
    func rule(of business: BusinessID) -> (choice: Retention, limit: Timestamp)? {
        tracks[business].map { ($0.before, $0.limit) }
    }

    /// Ends for a business that has chosen otherwise since: the next round looks at what it chose.
    mutating func end(of business: BusinessID) { tracks[business] = nil }

    /// What of a page is to be erased, by conversation.
    mutating func old<ID>(_ page: [Aged<ID>], of kind: Kind) -> [Old<ID>] {
        var old: [Old<ID>] = []
        var places: [ConversationID: Int] = [:]
        for one in page {
            guard let track = tracks[one.business] else { continue }
            guard one.time < track.limit else {
                tracks[one.business]?[kind].keep(one.place)
                continue
            }
            guard !track.held.contains(one.conversation) else {
                tracks[one.business]?[kind].keep(one.place)
                tracks[one.business]?.kept += 1
                continue
            }
            if let place = places[one.conversation] {
                old[place].aged.append(one)
            } else {
                places[one.conversation] = old.count
                old.append((one.conversation, [one]))
            }
        }
        return old
    }

    /// Whether a conversation could not be erased in by this sweep.
    func isDamaged(_ conversation: ConversationID) -> Bool { damaged.contains(conversation) }

    /// Notes what came of erasing some of one conversation; nil where it could not be done: they are looked at again
    /// by the next sweep.
    mutating func note<ID>(_ piece: [Aged<ID>], of kind: Kind, erased: Int?) {
        guard let first = piece.first else { return }
        guard let erased else {
            damaged.insert(first.conversation)
            for one in piece { tracks[first.business]?[kind].keep(one.place) }
            tracks[first.business]?.skipped += piece.count
            return
        }
        tracks[first.business]?[kind].erased += erased
        if erased > 0 { tracks[first.business]?.conversations.insert(first.conversation) }
    }

    /// Notes how far everything was looked at.
    mutating func reached(_ place: Int64, of kind: Kind) {
        for (business, track) in tracks {
            tracks[business]?[kind].end = max(track[kind].end, place)
        }
    }

    /// Whose progress is worth storing before the end: a sweep that is killed goes on from there.
    func moved() -> [Retention] {
        tracks.values.compactMap { track in
            var one = track.before
            one.progress.position = Position(track.messages.progress)
            let isFurther = one.progress.position > track.before.progress.position
            return isFurther && track.messages.firstKept == nil ? one : nil
        }
    }

    /// Where each business is now that all was looked at.
    func ended() -> [Retention] {
        tracks.values.map { track in
            var one = track.before
            one.progress = Retention.Progress(
                position: Position(track.messages.progress), note: track.notes.progress,
                through: track.limit)
            return one
        }
    }

    /// Says what was erased of a business, and what could not be.
    func report(_ business: BusinessID, to log: Log) {
        guard let track = tracks[business],
            track.messages.erased + track.notes.erased + track.skipped > 0
        else { return }
        log.info(
            "retention_erased",
            [
                "business": .text(business.text), "before": .text(track.limit.text),
                "messages": .number(track.messages.erased), "notes": .number(track.notes.erased),
                "conversations": .number(track.conversations.count),
                "skipped": .number(track.skipped), "held": .number(track.kept),
            ])
    }
}
