import DeskJSON
import DeskModel

extension GroupDecision {
    /// Registers or changes a bot; a change to what it is already has no event.
    mutating func save(_ step: SaveBot) throws(Undecided) -> Bot {
        let number = try require(step.business)
        var known = try bots(of: step.business)
        let place = known.firstIndex { $0.bot.id == step.id }
        guard (place == nil) == step.isNew else { throw .refused(.notFound) }
        guard place != nil || known.count < Bot.most else { throw .refused(.unusable) }
        let before = place.map { known[$0].bot }
        guard let key = step.values.key ?? before?.key else { throw .refused(.unusable) }
        var bot =
            before
            ?? Bot(id: step.id, business: step.business, name: step.values.name ?? "", key: key)
        bot.name = step.values.name ?? bot.name
        bot.key = key
        bot.webhook = step.values.webhook ?? bot.webhook
        bot.answerSeconds = step.values.answerSeconds ?? bot.answerSeconds
        bot.isFirst = step.values.isFirst ?? bot.isFirst
        bot.intents = step.values.intents ?? bot.intents
        bot.isRetired = step.values.isRetired ?? bot.isRetired
        guard bot != before else { return bot }
        let others = known.map(\.bot).filter { $0.id != bot.id }
        guard !others.contains(where: { $0.comparedName == bot.comparedName }),
            bot.isRetired || !others.contains(where: { $0.key == bot.key && !$0.isRetired })
        else { throw .refused(.nameTaken) }
        // Whether it can be reached is asked by the groups that follow.
        if let place {
            known[place].bot = bot
            if bot.key != before?.key { known[place].relatives = [] }
        } else {
            known.append(KnownBot(bot: bot))
        }
        rows.bots[step.business] = known
        changes.append(.bot(bot))
        changes.append(
            .registry(.contents(.saveBot(bot.id, of: step.business)), author: step.author))
        append(
            .botSaved, of: step.business, beside: nil, .json(BotText.event(bot, by: step.author)),
            EventPlace(business: number, conversation: nil, note: nil), at: step.time)
        return bot
    }

    /// The bots of a business, in the order in which they were registered.
    func bots(of business: BusinessID) throws(Undecided) -> [KnownBot] {
        guard let known = rows.bots[business] else { throw .needs(.bots(of: business)) }
        return known
    }
}

/// The data of the events of bots and of control, as JSON text; nothing that was said is in them.
enum BotText {
    /// What `bot.saved` says.
    static func event(_ bot: Bot, by author: Author) -> [UInt8] {
        JSONWriter.object { text in
            text.member("bot") { text in
                text.object { text in
                    text.member("id", bot.id.text)
                    text.member("business", bot.business.text)
                    text.member("name", bot.name)
                    text.member("key", bot.key.text)
                    text.member("webhook", bot.webhook?.text)
                    text.member("answerSeconds", bot.answerSeconds)
                    text.member("first", bot.isFirst)
                    text.member("intents") { text in
                        text.array { text in for intent in bot.intents { text.string(intent) } }
                    }
                    text.member("retired", bot.isRetired)
                }
            }
            text.by(author)
        }
    }

    /// What `conversation.control_changed` says.
    static func event(
        from before: Controller?, to after: Control, _ reason: ControlReason, note: NoteID?,
        by author: Author
    ) -> [UInt8] {
        JSONWriter.object { text in
            text.controller("from", before)
            text.controller("to", after.controller)
            text.member("reason", reason.rawValue)
            text.controller("offer", after.offer)
            text.member("note", note?.text)
            text.by(author)
        }
    }
}

extension JSONWriter {
    /// Writes who controls; null for people.
    fileprivate mutating func controller(_ name: StaticString, _ controller: Controller?) {
        member(name) { text in
            guard let controller else { return text.null() }
            text.object { text in
                text.member("type", controller.kind)
                text.member("id", controller.name)
            }
        }
    }
}
