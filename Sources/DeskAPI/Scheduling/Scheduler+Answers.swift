import DeskBroker
import DeskCalendar
import DeskCrypto
import DeskHTTP
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

extension Scheduler {
    /// What becomes of an automatic answer when it is looked at.
    private enum Plan {
        /// It is not to be given, or not any more.
        case drop
        /// It may be due later.
        case wait(until: Timestamp)
        /// The template is sent, once in the period of this name.
        case send(TemplateName, in: Conversation, once: String)
    }

    /// Gives an automatic answer where it is still due.
    ///
    /// Its id is made of the conversation, the kind and the period, and its commit removes the work: a
    /// server that is killed at any point gives it once.
    func answer(_ work: DueWork, at now: Timestamp) async throws(StoreError) {
        do throws(Problem) {
            switch try await plan(work, at: now) {
            case .drop: try await finish(work)
            case .wait(let time):
                try await services.brokering { broker throws(BrokerError) in
                    try await broker.postpone(work, until: time)
                }
            case .send(let template, let conversation, let period):
                try await send(template, to: conversation, once: period, for: work)
            }
        } catch {
            try await leave(work, unsaidFor: error)
        }
    }

    /// What becomes of work whose message was refused.
    func leave(_ work: DueWork, unsaidFor problem: Problem) async throws(StoreError) {
        switch problem.code {
        case .notFound, .preconditionFailed:
            // Another message replaced the work, or the conversation moved on: the next round
            // looks at it as it is then.
            return
        case .customerLeft, .replyWindowOver, .idempotencyConflict, .messageErased:
            // Nothing reaches the customer, or it was said in this period, with other words that were changed
            // since.
            return try await give(up: work)
        default: break
        }
        guard problem.code.status != .serviceUnavailable else {
            throw StoreError(.unavailable, "an answer waits: \(problem.code.rawValue)")
        }
        try await settle(work, as: problem)
    }

    private func plan(_ work: DueWork, at now: Timestamp) async throws(Problem) -> Plan {
        guard let kind = AutomaticAnswers.Kind(rawValue: work.name.subject),
            let conversation = try await services.findConversation(work.name.conversation),
            !conversation.hasLeft, let since = conversation.waitingSince
        else { return .drop }
        let control = try await services.asking { store throws(StoreError) in
            try await store.findControl(of: conversation.id)
        }
        // What people promise begins again when they have the conversation.
        guard control?.controller?.bot == nil else { return .drop }
        let business = work.business
        let answers = try await services.asking { store throws(StoreError) in
            try await store.automaticAnswers(of: business)
        }
        guard let template = answers.template(of: kind) else { return .drop }
        let stored = try await services.storedHours(of: business)
        let times = services.openingTimes(of: conversation.team, stored)
        let wasOpen = times?.isOpen(at: work.madeAt) ?? true
        // What was not said in time is not said long after.
        let isRecent = now <= work.madeAt.advanced(by: Self.latest)
        switch kind {
        case .greeting:
            guard isRecent, wasOpen || answers.outOfHours == nil else { return .drop }
            return .send(template, in: conversation, once: work.madeAt.text)
        case .outOfHours:
            guard isRecent, !wasOpen else { return .drop }
            let opening = times?.nextChange(after: work.madeAt)
            return .send(template, in: conversation, once: opening?.text ?? "")
        case .unanswered:
            guard since == work.madeAt, let minutes = answers.unansweredMinutes else {
                return .drop
            }
            let wait = Duration.seconds(minutes * 60)
            guard let times else {
                let dueAt = since.advanced(by: wait)
                guard dueAt <= now else { return .wait(until: dueAt) }
                return .send(template, in: conversation, once: since.text)
            }
            guard let dueAt = times.moment(after: wait, from: since),
                let opening = times.opening(from: max(dueAt, now))
            else { return .drop }
            guard opening <= now else { return .wait(until: opening) }
            return .send(template, in: conversation, once: since.text)
        }
    }

    private func send(
        _ name: TemplateName, to conversation: Conversation, once period: String,
        for work: DueWork
    ) async throws(Problem) {
        let submission = try await services.unattendedMessage(
            name, to: conversation, by: .server, id: Self.id(of: work, in: period))
        try await services.brokering { broker throws(BrokerError) in
            try await broker.answer(submission, at: conversation.revision, finishing: work)
        }
    }

    /// The id of the one answer of a kind in a conversation and a period: a UUID of version 8.
    static func id(of work: DueWork, in period: String) -> MessageID? {
        let name = "\(work.name.conversation.text) \(Self.word(of: work.name)) \(period)"
        var bytes = Array(Digest.sha256(Array(name.utf8)).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UniqueID(bytes: bytes).flatMap { MessageID($0.text) }
    }

    /// The kind of the answer; of questions and thanks that of the work.
    private static func word(of name: DueWork.Name) -> String {
        name.kind == .answer ? name.subject : name.kind.rawValue
    }

    func finish(_ work: DueWork) async throws(Problem) {
        try await services.brokering { broker throws(BrokerError) in
            try await broker.finish(work)
        }
    }

    private func give(up work: DueWork) async throws(StoreError) {
        do throws(BrokerError) {
            try await services.broker.finish(work)
        } catch {
            // Refused: it is not there any more.
            if case .store(let failure) = error { throw failure }
        }
    }
}
