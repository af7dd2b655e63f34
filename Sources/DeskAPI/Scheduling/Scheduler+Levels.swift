import DeskBroker
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

/// When answers are due by the service levels of their businesses, and that they are overdue.
extension Scheduler {
    /// Computes when an awaited answer is due, by the levels, the hours and the conversation of now.
    func count(_ work: DueWork) async throws(StoreError) {
        do throws(Problem) {
            let due = try await due(of: work)
            try await services.brokering { broker throws(BrokerError) in
                if let due {
                    try await broker.expect(due, finishing: work)
                } else {
                    try await broker.finish(work)
                }
            }
        } catch {
            try await leave(work, as: error)
        }
    }

    /// Has a page of a business's due times computed again: its service levels or hours were changed.
    ///
    /// Each step is one commit, which says where the next one goes on: a server that is killed meanwhile leaves
    /// nothing out.
    func recount(_ work: DueWork) async throws(StoreError) {
        var filter = ConversationFilter(businesses: [work.business], states: [.open])
        if let team = TeamID(work.name.subject) { filter.team = .some(team) }
        let wanted = filter
        do throws(Problem) {
            let page = try await services.asking { store throws(StoreError) in
                try await store.waitingConversations(
                    wanted,
                    at: PageEdge(
                        after: ListPlace.readWaiting(String(decoding: work.data, as: UTF8.self))),
                    limit: Self.stride)
            }
            let place = page.hasMore ? page.elements.last : nil
            let next = place.flatMap { WaitingPlace($0) }.map(ListPlace.text)
            let awaited = page.elements.filter { $0.answerDue != nil }.map(\.id)
            try await services.brokering { broker throws(BrokerError) in
                try await broker.recount(
                    awaited, then: next.map { Array($0.utf8) }, finishing: work)
            }
        } catch {
            try await leave(work, as: error)
        }
    }

    /// Says that an answer is overdue.
    func breach(_ work: DueWork) async throws(StoreError) {
        do throws(Problem) {
            try await services.brokering { broker throws(BrokerError) in
                try await broker.breach(work)
            }
        } catch {
            try await leave(work, as: error)
        }
    }

    private func due(of work: DueWork) async throws(Problem) -> AnswerDue? {
        guard let conversation = try await services.findConversation(work.name.conversation),
            conversation.state == .open, conversation.waitingSince != nil,
            let awaited = conversation.answerDue
        else { return nil }
        let levels = try await services.serviceLevels(of: work.business)
        let stored = try await services.storedHours(of: work.business)
        let times = services.openingTimes(of: conversation.team, stored)
        return AnswerDue(
            awaited.kind,
            at: levels?.due(awaited.kind, conversation.priority, from: work.dueAt, times))
    }

    private func leave(_ work: DueWork, as problem: Problem) async throws(StoreError) {
        // Another change replaced the work: the next round looks at it as it is then.
        guard problem.code != .notFound else { return }
        guard problem.code.status != .serviceUnavailable else {
            throw StoreError(.unavailable, "a due time waits: \(problem.code.rawValue)")
        }
        try await settle(work, as: problem)
    }
}
