import DeskBroker
import DeskCalendar
import DeskHTTP
import DeskModel
import DeskStore
import DeskWeb

extension Scheduler {
    /// Returns a conversation that its agent has not answered within hours, as the rule of this moment
    /// says.
    func giveBack(_ work: DueWork, at now: Timestamp) async throws(StoreError) {
        do throws(Problem) {
            try await lookForAnswer(work, at: now)
        } catch {
            switch error.code {
            // Answered or assigned anew at this moment: that message or assignment has work of its own.
            case .notFound, .preconditionFailed: return
            default: break
            }
            guard error.code.status != .serviceUnavailable else {
                throw StoreError(.unavailable, "giving back waits: \(error.code.rawValue)")
            }
            try await settle(work, as: error)
        }
    }

    private func lookForAnswer(_ work: DueWork, at now: Timestamp) async throws(Problem) {
        let business = work.business
        let stored = try await services.asking { store throws(StoreError) in
            try await store.assignment(of: business)
        }
        guard let conversation = try await services.findConversation(work.name.conversation),
            let agent = conversation.assignee, let since = conversation.waitingSince,
            conversation.state == .open,
            let minutes = AssignmentSettings(stored).rule(of: conversation.team).giveBackMinutes
        else {
            return try await services.brokering { broker throws(BrokerError) in
                try await broker.finish(work)
            }
        }
        let hours = try await services.storedHours(of: business)
        let wait = Duration.seconds(minutes * 60)
        var dueAt: Timestamp? = work.madeAt.advanced(by: wait)
        if let times = services.openingTimes(of: conversation.team, hours) {
            dueAt = times.moment(after: wait, from: work.madeAt)
        }
        let due = dueAt
        try await services.brokering { broker throws(BrokerError) in
            guard let due else { return try await broker.finish(work) }
            guard due <= now else { return try await broker.postpone(work, until: due) }
            try await broker.giveBack(work, of: agent, waitingSince: since)
        }
    }
}
