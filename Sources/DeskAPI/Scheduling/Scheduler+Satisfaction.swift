import DeskBroker
import DeskHTTP
import DeskMessages
import DeskModel
import DeskStore
import DeskWeb

/// Asks the customers of closed conversations how satisfied they are, and thanks those who said it.
extension Scheduler {
    /// What was not asked or said for so long after it was due is left out: a server that was down for
    /// days asks no customer about the time before.
    static let latestQuestion = Duration.seconds(86_400)

    /// Asks, where that is still due.
    ///
    /// The message's id is made of the conversation and the moment of the closing; its commit removes the
    /// work and demands the conversation's revision. So it is asked once, whichever processes try and wherever
    /// one is killed, and not in a conversation that was opened meanwhile.
    func ask(_ work: DueWork, at now: Timestamp) async throws(StoreError) {
        do throws(Problem) {
            guard let (question, conversation) = try await question(for: work, at: now) else {
                return try await finish(work)
            }
            let about = RowFields.readWork(String(decoding: work.data, as: UTF8.self))
            let submission = try await services.unattendedMessage(
                question.payload, to: conversation, by: .server, id: question.id)
            let asked = Satisfaction.Question(
                question.id, at: now,
                about: about ?? Satisfaction.Work(assignee: nil, team: nil, labels: []))
            try await services.brokering { broker throws(BrokerError) in
                try await broker.ask(
                    submission, asked, at: conversation.revision, finishing: work)
            }
        } catch {
            try await leave(work, unsaidFor: error)
        }
    }

    /// Thanks a customer who answered, where the business does.
    func thank(_ work: DueWork, at now: Timestamp) async throws(StoreError) {
        do throws(Problem) {
            let settings = try await services.satisfaction(of: work.business)
            guard settings.isOn, now <= work.dueAt.advanced(by: Self.latestQuestion),
                let conversation = try await services.findConversation(work.name.conversation),
                !conversation.hasLeft, conversation.blockedAt == nil,
                let thanks = Self.texts(settings, for: conversation).thanks,
                let id = Self.id(of: work, in: work.madeAt.text)
            else { return try await finish(work) }
            let payload = SatisfactionQuestion.thanks(thanks)
            let submission = try await services.unattendedMessage(
                payload, to: conversation, by: .server, id: id)
            try await services.brokering { broker throws(BrokerError) in
                try await broker.answer(submission, at: conversation.revision, finishing: work)
            }
        } catch {
            try await leave(work, unsaidFor: error)
        }
    }

    /// What is asked and where; nil where it is not to be asked, or not any more.
    private func question(
        for work: DueWork, at now: Timestamp
    ) async throws(Problem) -> (SatisfactionQuestion, Conversation)? {
        let settings = try await services.satisfaction(of: work.business)
        guard settings.isOn, now <= work.dueAt.advanced(by: Self.latestQuestion),
            let conversation = try await services.findConversation(work.name.conversation),
            conversation.state == .closed, !conversation.hasLeft, conversation.blockedAt == nil,
            let id = Self.id(of: work, in: work.madeAt.text)
        else { return nil }
        if let last = conversation.satisfaction?.question.askedAt,
            now < last.advanced(by: .seconds(settings.notAgainDays * 86_400))
        {
            return nil
        }
        let shown = conversation.customer.capabilities.map { CapabilityList(words: $0) }
        let kind: SatisfactionSettings.Kind =
            settings.kind == .form && shown?.contains(.form) == true ? .form : .quickReply
        guard kind == .form || shown?.contains(.quick) != false else { return nil }
        let wasAnswered = try await services.asking { store throws(StoreError) in
            try await store.wasAnswered(sinceOpening: conversation.id)
        }
        guard wasAnswered else { return nil }
        let texts = Self.texts(settings, for: conversation)
        return (SatisfactionQuestion(id: id, kind: kind, texts: texts), conversation)
    }

    private static func texts(
        _ settings: SatisfactionSettings, for conversation: Conversation
    ) -> SatisfactionTexts {
        settings.texts(in: Language(locale: conversation.customer.locale))
    }
}
