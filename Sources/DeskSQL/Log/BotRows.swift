/// Which conversations a bot has: looked up for each row of a list, which keeps its order and its index.
///
/// A join could be turned around, and would sort all that bots have.
enum BotRows {
    private static let controller =
        "coalesce((SELECT k.controller_kind FROM controls k WHERE k.conversation = c.id), '')"

    /// Whether a bot has control.
    static let hasBot = "\(controller) = 'bot'"
    /// Whether no bot has control.
    static let hasNoBot = "\(controller) <> 'bot'"
    /// Whether no agent looks after it, and no bot.
    static let isUnassigned = "c.assignee IS NULL AND \(hasNoBot)"
}
