/// What a customer was asked about a conversation after it was closed, and what the customer said.
public struct Satisfaction: Hashable, Sendable {
    /// The scores that can be given, the best one last.
    public static let scores = 1...5
    /// Longest comment that is asked for and kept, in Unicode scalars.
    public static let longestComment = 1_000
    /// So long after the first answer to a question another answer replaces it.
    public static let changeable = Duration.seconds(86_400)

    /// A question, and for whose work it was asked: as of the closing.
    public struct Question: Hashable, Sendable {
        /// The message that asks; answers name it.
        public let message: MessageID
        /// When it was sent.
        public let askedAt: Timestamp
        /// The work that it is about.
        public let work: Work

        /// Puts a question together.
        public init(_ message: MessageID, at askedAt: Timestamp, about work: Work) {
            self.message = message
            self.askedAt = askedAt
            self.work = work
        }
    }

    /// Who looked after a conversation when it was closed.
    public struct Work: Hashable, Sendable {
        /// The agent to whom it was assigned.
        public let assignee: AgentID?
        /// The team.
        public let team: TeamID?
        /// The labels.
        public let labels: [LabelID]

        /// Puts the three together.
        public init(assignee: AgentID?, team: TeamID?, labels: [LabelID]) {
            self.assignee = assignee
            self.team = team
            self.labels = labels
        }
    }

    /// What a customer said.
    public struct Answer: Hashable, Sendable {
        /// The question that was answered.
        public let question: Question
        /// The message that answers it.
        public let message: MessageID
        /// One of `Satisfaction.scores`.
        public let score: Int
        /// What the customer wrote beside it; nil for nothing, and once the message was erased.
        public var comment: String?
        /// When the question was answered first.
        public let answeredAt: Timestamp

        /// Puts an answer together.
        public init(
            to question: Question, by message: MessageID, score: Int, comment: String?,
            at answeredAt: Timestamp
        ) {
            self.question = question
            self.message = message
            self.score = score
            self.comment = comment
            self.answeredAt = answeredAt
        }
    }

    /// What an event says: that a question was asked, or how it was answered.
    public struct Step: Hashable, Sendable {
        /// The question.
        public let question: Question
        /// The answer; nil for a question that was asked.
        public let answer: Given?

        /// Puts a step together.
        public init(_ question: Question, _ answer: Given? = nil) {
            self.question = question
            self.answer = answer
        }
    }

    /// An answer as events say it: without the comment.
    public struct Given: Hashable, Sendable {
        /// The message.
        public let message: MessageID
        /// The score.
        public let score: Int
        /// The score that an earlier answer to the same question gave; nil for the first.
        public let before: Int?

        /// Puts the three together.
        public init(_ message: MessageID, score: Int, before: Int?) {
            self.message = message
            self.score = score
            self.before = before
        }
    }

    /// The question that was asked last.
    public var question: Question
    /// The answer that was given last, to this question or to an earlier one.
    public var answer: Answer?

    /// Puts the two together.
    public init(_ question: Question, _ answer: Answer? = nil) {
        self.question = question
        self.answer = answer
    }
}

/// When customers of a business are asked: what the commit of a closing has to know of it.
public struct SatisfactionPlan: Hashable, Sendable {
    /// Longest time in minutes between closing and asking.
    public static let longestDelay = 1_440

    /// Minutes between closing and asking.
    public let delayMinutes: Int

    /// Asks some minutes after the closing.
    public init(delayMinutes: Int) { self.delayMinutes = delayMinutes }
}
