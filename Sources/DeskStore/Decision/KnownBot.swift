package import DeskModel

/// A bot with what decides whether it can be reached, and by which keys its program writes.
package struct KnownBot: Sendable {
    /// The bot.
    package var bot: Bot
    /// Whether its key was revoked or does not act for the business any more, or its endpoint is disabled.
    package let isCutOff: Bool
    /// When its key ends by itself.
    package let endsAt: Timestamp?
    /// The other keys of its program: those that came after its key, or that its key came after.
    var relatives: Set<KeyID> = []

    /// Puts the three together.
    package init(bot: Bot, isCutOff: Bool = false, endsAt: Timestamp? = nil) {
        self.bot = bot
        self.isCutOff = isCutOff
        self.endsAt = endsAt
    }

    /// Whether it can be given a conversation.
    func isReachable(at time: Timestamp) -> Bool {
        !bot.isRetired && !isCutOff && endsAt.map { time < $0 } ?? true
    }
}

extension [KnownBot] {
    /// Says which keys came after which, so that a bot stays what it is while its key is replaced.
    ///
    /// A program has two keys for the overlap, and changes them before or after an owner chooses the new one for the
    /// bot: it is the bot with both. Where two bots have keys of one line, a key is the bot whose key it came after
    /// last.
    ///
    /// - Parameter predecessors: for each key that has one, the key that it came after.
    package func related(by predecessors: [KeyID: KeyID]) -> [KnownBot] {
        guard !predecessors.isEmpty else { return self }
        var known = self
        /// The key and those that it came after, the nearest first. A damaged row may make a circle of them.
        func line(of key: KeyID) -> [KeyID] {
            var line = [key]
            while line.count <= predecessors.count, let next = predecessors[line[line.count - 1]] {
                line.append(next)
            }
            return line
        }
        let active = indices.filter { !self[$0].bot.isRetired }
        let origins = active.map { line(of: self[$0].bot.key).last }
        for key in Set(predecessors.keys).union(predecessors.values) {
            let own = line(of: key)
            let nearest = own.lazy.compactMap { one in
                active.first { self[$0].bot.key == one }
            }.first
            let beside = zip(active, origins).first { $0.1 == own.last }?.0
            if let place = nearest ?? beside { known[place].relatives.insert(key) }
        }
        return known
    }

    /// The bot that a key is; nil for a key that is none.
    func bot(with key: KeyID) -> Bot? {
        let active = lazy.filter { !$0.bot.isRetired }
        let found =
            active.first { $0.bot.key == key } ?? active.first { $0.relatives.contains(key) }
        return found?.bot
    }
}
