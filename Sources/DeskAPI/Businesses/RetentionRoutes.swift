import DeskHTTP
import DeskJSON
import DeskLog
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds retention by age: after how many days a business has content erased by itself.
    public mutating func addRetention(limits: APILimits) {
        let path = "/api/businesses/{business}/retention"
        add(
            .get, path, operation: "getRetention", permission: .manageBusiness, business: .path
        ) { context async throws(Problem) in try await RetentionRoutes(context).get() }
        add(
            .get, path + "/preview", operation: "previewRetention", permission: .manageBusiness,
            business: .path, query: .known(["days"]), rate: .search
        ) { context async throws(Problem) in try await RetentionRoutes(context).preview() }
        add(
            .put, path, operation: "setRetention", permission: .manageBusiness, business: .path,
            bodyLimit: limits.recordBytes, rate: .write
        ) { context async throws(Problem) in try await RetentionRoutes(context).set() }
        add(
            .delete, path, operation: "removeRetention", permission: .manageBusiness,
            business: .path, rate: .write
        ) { context async throws(Problem) in try await RetentionRoutes(context).remove() }
    }
}

/// Answers the routes of `addRetention`.
struct RetentionRoutes {
    private static let allowed =
        "number from \(Retention.days.lowerBound) to \(Retention.days.upperBound)"

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func get() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        return answer(try await stored(of: business))
    }

    func set() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let author = try context.requirePrincipal().author
        let bytes = try await context.jsonBytes()
        var fields = try Fields(bytes)
        var days = Retention.days.upperBound
        if let stated = fields.requireValue("days") {
            if let number = stated.int, Retention.days.contains(number) {
                days = number
            } else {
                fields.note(
                    .value, stated, "a whole \(Self.allowed)",
                    "Send days within these bounds; DELETE has content kept for ever.")
            }
        }
        try fields.finish()
        if try await stored(of: business)?.days != days {
            try await context.requireApproval(of: .setRetention, in: [business], body: bytes)
        }
        let chosen = days
        let time = services.time.now()
        let after = try await services.asking { store throws(StoreError) in
            try await store.setRetention(ofDays: chosen, of: business, at: time, author: author)
        }
        context.log.info(
            "retention_set",
            [
                "business": .text(business.text), "days": .number(after.days),
                "begins": .text(after.beginsAt.text),
            ])
        return answer(after)
    }

    func remove() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        if try await stored(of: business) != nil {
            try await context.requireApproval(of: .removeRetention, in: [business])
        }
        let author = try context.requirePrincipal().author
        let wasThere = try await services.asking { store throws(StoreError) in
            try await store.removeRetention(of: business, author: author)
        }
        if wasThere {
            context.log.info("retention_removed", ["business": .text(business.text)])
        }
        return Response(status: .noContent)
    }

    /// Counts what the first sweep by so many days would erase, and changes nothing.
    func preview() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let query = context.request.query
        let before = try await stored(of: business)
        // Without a stored choice there is no other number of days.
        let isRequired = before == nil
        let sent = try query.number("days", allowed: Self.allowed, isRequired: isRequired)
        guard let days = sent.map({ Int($0) }) ?? before?.days, Retention.days.contains(days) else {
            throw Problem(
                parameter: "days", in: query, allowed: Self.allowed, isRequired: isRequired)
        }
        let now = services.time.now()
        let begins = max(now, Retention.beginning(ofDays: days, at: now, after: before))
        let limit = begins.advanced(by: .seconds(-days * 86_400))
        let services = services
        let count = try await services.asking { store throws(StoreError) in
            var count = RetentionCount(
                deadline: services.time.instant() + RetentionCount.patience,
                keeping: try await store.heldContent(of: business))
            try await count.read(
                store, of: business, before: limit, behind: before?.progress ?? .start,
                services.time)
            return count
        }
        return .json(
            JSONWriter.object { text in
                text.member("days", days)
                text.member("beginsAt", begins)
                text.member("before", limit)
                text.member("messages", count.messages)
                text.member("notes", count.notes)
                text.member("conversations", count.conversations.count)
                text.member("oldest", count.oldest)
                text.member("isComplete", count.isComplete)
                text.member("conversationsOnHold", count.kept.count)
            })
    }

    private func stored(of business: BusinessID) async throws(Problem) -> Retention? {
        try await services.asking { store throws(StoreError) in
            try await store.retention(of: business)
        }
    }

    private func answer(_ one: Retention?) -> Response {
        .json(
            JSONWriter.object { text in
                text.member("days") { text in
                    if let one { text.number(one.days) } else { text.null() }
                }
                text.member("changedAt", one?.changedAt)
                text.member("beginsAt", one?.beginsAt)
                text.member("erasedThrough", one?.progress.through)
            })
    }
}

/// How much there is to erase, as far as one request looks.
struct RetentionCount {
    /// Most positions of the log, and numbers of notes, that are looked at.
    static let mostPlaces: Int64 = 1_048_576
    /// Longest time that is spent on it.
    static let patience = Duration.seconds(3)

    let deadline: ContinuousClock.Instant
    let held: HeldContent
    private(set) var messages = 0
    private(set) var notes = 0
    private(set) var conversations: Set<ConversationID> = []
    private(set) var oldest: Timestamp?
    /// Conversations with content that would be erased if they were not on legal hold.
    private(set) var kept: Set<ConversationID> = []
    /// Whether all was looked at.
    private(set) var isComplete = true

    init(deadline: ContinuousClock.Instant, keeping held: HeldContent) {
        self.deadline = deadline
        self.held = held
    }

    mutating func read(
        _ store: any Store, of business: BusinessID, before limit: Timestamp,
        behind progress: Retention.Progress, _ time: TimeSource
    ) async throws(StoreError) {
        let lastNote = try await store.newestNote()
        var note = progress.note
        while note < lastNote {
            guard goesOn(note - progress.note, time) else { return }
            let found = try await store.countNotes(of: business, before: limit, after: note)
            notes += add(found)
            note += AgedNote.stride
        }
        let end = store.newest
        var place = progress.position
        while place < end {
            guard goesOn(place.value - progress.position.value, time) else { return }
            let found = try await store.countMessages(of: business, before: limit, after: place)
            messages += add(found)
            place = Position(place.value + AgedMessage.stride)
        }
    }

    private mutating func goesOn(_ looked: Int64, _ time: TimeSource) -> Bool {
        isComplete = looked < Self.mostPlaces && time.instant() < deadline
        return isComplete
    }

    /// Adds what is erased, and answers with how much of it there is.
    private mutating func add(_ found: [AgedCount]) -> Int {
        var sum = 0
        for one in found {
            guard !held.contains(one.conversation) else {
                kept.insert(one.conversation)
                continue
            }
            sum += one.count
            conversations.insert(one.conversation)
            oldest = min(oldest ?? one.oldest, one.oldest)
        }
        return sum
    }
}
