import DeskJSON
import DeskModel

extension JSONWriter {
    /// Writes what a customer was asked last, and said last; null before the first question.
    mutating func satisfaction(_ satisfaction: Satisfaction?, _ authorNames: AuthorNames) {
        guard let satisfaction else { return null() }
        object { text in
            text.member("askedAt", satisfaction.question.askedAt)
            text.member("question", satisfaction.question.message.text)
            guard let answer = satisfaction.answer else {
                for name in ["score", "comment", "answeredAt", "answer", "agent", "team"] {
                    text.key(text: name)
                    text.null()
                }
                return
            }
            text.member("score", answer.score)
            text.member("comment", answer.comment)
            text.member("answeredAt", answer.answeredAt)
            text.member("answer", answer.message.text)
            text.work(answer.question.work, authorNames)
        }
    }

    /// Writes what an event says of a question or of its answer, without words of the customer.
    mutating func satisfaction(_ step: Satisfaction.Step, _ authorNames: AuthorNames) {
        object { text in
            text.member("question", step.question.message.text)
            text.member("askedAt", step.question.askedAt)
            text.work(step.question.work, authorNames)
            guard let answer = step.answer else { return }
            text.member("answer", answer.message.text)
            text.member("score", answer.score)
            if let before = answer.before { text.member("before", before) }
        }
    }

    /// Writes for whose work a question was asked.
    private mutating func work(_ work: Satisfaction.Work, _ authorNames: AuthorNames) {
        member("agent") { $0.assignee(work.assignee, authorNames) }
        member("team", work.team?.text)
    }
}

extension Conversation {
    /// The agents whom a view of it names.
    var named: [AgentID] {
        guard let agent = satisfaction?.answer?.question.work.assignee else { return concerned }
        return concerned + [agent]
    }
}
