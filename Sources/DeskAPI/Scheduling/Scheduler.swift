import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLog
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Does what is due at a moment, in one process of those that share a store.
///
/// Its only state is the table of due work. Each piece is done in the commit that removes its row, so
/// it is done once: a second process that holds the lease for a moment, a person who withdraws a message,
/// and a server that is killed at any point change nothing of that. The lease only keeps processes from
/// doing the same work in vain.
public final class Scheduler: Sendable {
    /// The lease of the process that does it.
    static let lease = "scheduler"
    /// Longest time between two looks at the table: work is added by other processes too.
    static let pause = Duration.seconds(1)
    /// Pieces of work that are read at once.
    static let stride = 100
    /// A message that could not be sent for so long is left to its author.
    static let latest = Duration.seconds(600)

    let services: Services

    /// Works on the table of a server's store.
    public init(services: Services) { self.services = services }

    /// Does its rounds whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { _ in
            await self.doRounds()
        }
    }

    private func doRounds() async {
        while !Task.isCancelled {
            var pause = Self.pause
            do {
                pause = try await doRound()
            } catch {
                services.log.warning("scheduler_failed", ["reason": .text("\(error)")])
            }
            // Safe: the loop asks for cancellation.
            try? await services.time.sleep(pause)
        }
    }

    /// Does what is due now; returns how long until the next look.
    func doRound() async throws(StoreError) -> Duration {
        let now = services.time.now()
        let due = try await services.store.dueWork(until: now, limit: Self.stride)
        for work in due {
            guard !Task.isCancelled else { return Self.pause }
            switch work.name.kind {
            case .wake: try await wake(work)
            case .send: try await send(work, at: now)
            case .answer: try await answer(work, at: now)
            case .due: try await count(work)
            case .breach: try await breach(work)
            case .recount: try await recount(work)
            case .giveBack: try await giveBack(work, at: now)
            case .ask: try await ask(work, at: now)
            case .thank: try await thank(work, at: now)
            }
        }
        guard let next = try await services.store.nextDueTime() else { return Self.pause }
        return min(Self.pause, max(.milliseconds(1), next.since(services.time.now())))
    }

    private func wake(_ work: DueWork) async throws(StoreError) {
        do {
            try await services.broker.wake(work)
        } catch {
            switch error {
            case .refused(let refusal):
                try await settle(work, as: Problem(refusal))
            case .store(let failure):
                guard failure.code == .damaged else { throw failure }
                try await settle(work, as: Problem(failure))
            }
        }
    }

    private func send(_ work: DueWork, at now: Timestamp) async throws(StoreError) {
        guard now <= work.dueAt.advanced(by: Self.latest) else {
            return try await settle(
                work,
                as: Problem(
                    .unavailable, "The server did not run when it was due; send it again."))
        }
        do throws(Problem) {
            try await judgeAndSend(work)
        } catch {
            // A full disk or a store that is away: the next round tries again.
            guard error.code.status != .serviceUnavailable else {
                throw StoreError(.unavailable, "a delayed message waits: \(error.code.rawValue)")
            }
            try await settle(work, as: error)
        }
    }

    /// Judges a message as it was judged when it was made, and sends it.
    private func judgeAndSend(_ work: DueWork) async throws(Problem) {
        guard let message = DelayedMessage(work.data),
            let id = MessageID(work.name.subject)
        else { throw Problem(.damaged, "What was to be sent cannot be read.") }
        try await requirePermission(of: work.author, in: work.business)
        guard let conversation = try await services.findConversation(work.name.conversation)
        else { throw .notFound }
        try await requireFiles(of: message, in: conversation)
        var holders: [AttachmentHolder] = [.conversation(conversation.id)]
        if message.template != nil { holders.append(.business(work.business)) }
        let judged = try await PayloadJudge(services: services).judge(
            message.posted, for: conversation, of: work.business, profile: message.profile,
            id: id, holders: holders)
        guard case .message(let kind) = judged.kind, judged.id == id else {
            throw Problem(.damaged, "What was to be sent is not the message that was made.")
        }
        var submission = Submission(
            conversation: conversation.id, id: id, payload: judged.payload,
            posted: judged.compared(with: message.posted),
            facts: MessageSending.facts(
                judged, kind, work.author, message.origin, message.template, message.metadata),
            namesHeldFiles: true, lastSeen: message.lastSeen)
        submission.assignsAuthor = true
        _ = try await services.brokering { broker throws(BrokerError) in
            try await broker.accept(submission, finishing: work)
        }
    }

    /// Goes on while the files are here that a message names: they may have gone with another message that named
    /// them and was erased.
    private func requireFiles(
        of message: DelayedMessage, in conversation: Conversation
    ) async throws(Problem) {
        let holders =
            [.conversation(conversation.id)] + PayloadJudge.shared(by: conversation.business)
        do throws(Problem) {
            _ = try await PayloadJudge(services: services).attachments(
                of: JSONValue.parsed(message.posted), holders)
        } catch {
            guard error.code == .invalid else { throw error }
            throw Problem(
                .attachmentGone,
                "A file that the message names is not here any more: it was erased or removed.")
        }
    }

    /// Leaves work undone, unless it is not there any more: then it was done or withdrawn.
    func settle(_ work: DueWork, as problem: Problem) async throws(StoreError) {
        let failure = DueWork.Failure(code: problem.code.rawValue, detail: problem.detail)
        do throws(BrokerError) {
            switch work.name.kind {
            case .wake, .answer, .giveBack, .due, .breach, .recount, .ask, .thank:
                try await services.broker.refuse(work, as: failure)
            case .send:
                try await services.broker.refuse(
                    work, as: failure, data: work.eventData(refusedAs: failure))
            }
        } catch {
            switch error {
            case .refused: return
            case .store(let failed):
                // Its conversation cannot be read: there is no event of it.
                guard failed.code == .damaged, work.name.kind == .send else { throw failed }
                // Safe: what stays is found by the next round.
                try? await services.broker.refuse(work, as: failure)
            }
        }
        services.log.warning(
            "due_work_refused",
            ["kind": .text(work.name.kind.rawValue), "code": .text(failure.code)])
    }
}
