/// What the server answers by itself for a business: each a template of the business, or nothing.
public struct AutomaticAnswers: Hashable, Sendable {
    /// Longest wait for an agent's answer in minutes that can be chosen.
    public static let longestWait = 1_440

    /// When the server answers by itself.
    public enum Kind: String, Sendable, CaseIterable {
        /// A customer writes the first message, or writes into a closed conversation.
        case greeting
        /// A customer writes while the business or the conversation's team is closed.
        case outOfHours
        /// No agent answered a customer for some minutes within hours.
        case unanswered
    }

    /// To greet with.
    public var greeting: TemplateName?
    /// To answer with out of hours.
    public var outOfHours: TemplateName?
    /// To say that it takes longer.
    public var unanswered: TemplateName?
    /// Minutes after which `unanswered` is sent, within hours; nil without it.
    public var unansweredMinutes: Int?

    /// Answers nothing.
    public init() {}

    /// The template of a kind; nil for none.
    public func template(of kind: Kind) -> TemplateName? {
        switch kind {
        case .greeting: greeting
        case .outOfHours: outOfHours
        case .unanswered: unanswered
        }
    }
}
