import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers the route that changes many conversations, each by itself.
struct BulkRoute {
    /// Most conversations of a request.
    static let most = 1_000
    /// Most that a caller without `conversations.bulk` may change at once.
    static let mostOfAgents = 100
    /// Changes that are handed to the writer at a time; it commits together all that came.
    private static let atOnce = 32
    /// How often a change is tried while others change the conversation in between.
    private static let tries = 8

    private struct Entry {
        let conversation: ConversationID?
        let change: BulkChange
    }

    fileprivate struct Outcome {
        let conversation: Conversation
        let undo: ConversationUndo?
    }

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func change() async throws(Problem) -> Response {
        let principal = try context.requirePrincipal()
        let entries = try entries(of: try await context.jsonBytes(), by: principal)
        if entries.count > Self.mostOfAgents { try requireBulk(principal) }
        let rate = services.rates.take(
            entries.count, from: RateSubject(principal, peer: context.request.peer))
        guard !rate.isRefused else { throw Self.tooManyAtOnce(entries.count, rate) }
        var outcomes: [Result<Outcome, Problem>] = []
        for start in stride(from: 0, to: entries.count, by: Self.atOnce) {
            outcomes += await carryOut(
                Array(entries[start..<min(start + Self.atOnce, entries.count)]), by: principal)
        }
        for case .failure(let problem) in outcomes { services.notes.count(problem.code) }
        return .json(
            JSONWriter.object(capacity: 64 + entries.count * 160) { text in
                text.member("data") { text in
                    text.array { text in
                        for (entry, outcome) in zip(entries, outcomes) {
                            text.outcome(outcome, of: entry.conversation)
                        }
                    }
                }
            })
    }

    /// The conversations with what is changed of each: one change for all, or one for each.
    private func entries(
        of body: [UInt8], by principal: Principal
    ) throws(Problem) -> [Entry] {
        let now = services.time.now()
        var fields = try Fields(body, limits: JSONLimits(depth: 8, nodes: 100_000))
        guard fields.value("changes") != nil else {
            let ids = fields.requireElements("conversations", count: 1...Self.most)
            let value = fields.requireValue("change")
            try fields.finish()
            guard let ids, let value else { throw .notFound }
            let change = try BulkChange(value, by: principal, at: now)
            return ids.map {
                Entry(conversation: $0.string.flatMap { ConversationID($0) }, change: change)
            }
        }
        let elements = fields.requireElements("changes", count: 1...Self.most)
        try fields.finish()
        var entries: [Entry] = []
        for element in elements ?? [] {
            var members = try Fields(element)
            let id = members.requireText("conversation", bytes: 1...64)
            let value = members.requireValue("change")
            try members.finish()
            guard let value else { throw .notFound }
            entries.append(
                Entry(
                    conversation: id.flatMap { ConversationID($0) },
                    change: try BulkChange(value, by: principal, at: now)))
        }
        return entries
    }

    /// Refuses many changes to whom the table does not permit them in every business that the request is
    /// about.
    private func requireBulk(_ principal: Principal) throws(Problem) {
        let rule = AccessRule(.changeManyConversations, .query, in: services.permissions)
        for business in context.businesses {
            guard let role = principal.role(in: business), rule.admits(role) else {
                var problem = Problem.missingPermission(principal, rule, services.permissions)
                problem.detail += " Up to \(Self.mostOfAgents) at once need no owner."
                throw problem
            }
        }
    }

    /// A request for more than the burst is accepted when the whole bucket is full, and owes the rest.
    private static func tooManyAtOnce(_ count: Int, _ rate: RateState) -> Problem {
        var problem = Problem(
            .rateLimited,
            "\(count) changes count as \(count) writes; \(rate.remaining) of \(rate.burst) are left, "
                + "and \(min(count, rate.burst)) are needed. "
                + "Send them again in \(rate.waitSeconds) s.")
        problem.retryAfterSeconds = rate.waitSeconds
        return problem
    }

    private func carryOut(
        _ entries: [Entry], by principal: Principal
    ) async -> [Result<Outcome, Problem>] {
        await withTaskGroup(of: (Int, Result<Outcome, Problem>).self) { group in
            for (place, entry) in entries.enumerated() {
                group.addTask { (place, await self.result(of: entry, by: principal)) }
            }
            var results: [Int: Result<Outcome, Problem>] = [:]
            for await (place, result) in group { results[place] = result }
            return entries.indices.map { results[$0] ?? .failure(.notFound) }
        }
    }

    private func result(
        of entry: Entry, by principal: Principal
    ) async -> Result<Outcome, Problem> {
        do throws(Problem) {
            return .success(try await carryOut(entry, by: principal))
        } catch {
            return .failure(error)
        }
    }

    /// Changes one conversation from the revision that was looked at, so that what was before is certain.
    private func carryOut(
        _ entry: Entry, by principal: Principal
    ) async throws(Problem) -> Outcome {
        var last = Problem.notFound
        for _ in 0..<Self.tries {
            let before = try await context.requireConversation(named: entry.conversation?.text)
            do throws(Problem) {
                try entry.change.requireUnchanged(before)
            } catch {
                throw try await services.showing(before, in: error)
            }
            do throws(Problem) {
                let handling = services.handlingRoles
                let after = try await services.brokering { broker throws(BrokerError) in
                    try await broker.change(
                        before.id, entry.change.changes, by: principal.author,
                        if: .anyOf([before.revision]),
                        demanding: entry.change.demands(
                            in: before.business, handling: handling))
                }
                return Outcome(
                    conversation: after, undo: ConversationUndo(from: before, to: after))
            } catch {
                guard error.code == .preconditionFailed else { throw error }
                last = error
            }
        }
        throw last
    }
}

extension JSONWriter {
    fileprivate mutating func outcome(
        _ outcome: Result<BulkRoute.Outcome, Problem>, of conversation: ConversationID?
    ) {
        object { text in
            text.member("id", conversation?.text)
            switch outcome {
            case .success(let one):
                text.member("status", 200)
                text.member("revision", Int(one.conversation.revision.value))
                text.member("undo") { text in
                    guard let undo = one.undo else { return text.null() }
                    undo.write(to: &text)
                }
            case .failure(let problem):
                text.member("status", problem.code.status.code)
                text.member("problem", raw: problem.json)
            }
        }
    }
}
