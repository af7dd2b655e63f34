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

    /// The keys of its program.
    package var keys: Set<KeyID> { relatives.union([bot.key]) }

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
        let active = indices.filter { !self[$0].bot.isRetired }
        let own = Dictionary(active.map { (self[$0].bot.key, $0) }) { first, _ in first }
        var lines = KeyLines(predecessors: predecessors, bots: own)
        let beside = Dictionary(active.map { (lines.end(of: self[$0].bot.key).origin, $0) }) {
            first, _ in first
        }
        for key in Set(predecessors.keys).union(predecessors.values) {
            let end = lines.end(of: key)
            if let place = end.bot ?? beside[end.origin] { known[place].relatives.insert(key) }
        }
        return known
    }

    /// The bot that a key is; nil for a key that is none.
    package func bot(with key: KeyID) -> Bot? {
        let active = lazy.filter { !$0.bot.isRetired }
        let found =
            active.first { $0.bot.key == key } ?? active.first { $0.relatives.contains(key) }
        return found?.bot
    }
}

/// Which keys came after which; each is looked at once.
private struct KeyLines {
    let predecessors: [KeyID: KeyID]
    /// The bots by their keys.
    let bots: [KeyID: Int]
    private var ends: [KeyID: (origin: KeyID, bot: Int?)] = [:]

    init(predecessors: [KeyID: KeyID], bots: [KeyID: Int]) {
        self.predecessors = predecessors
        self.bots = bots
    }

    /// The first key of the line that a key is of, and the bot whose key it is or came after last.
    mutating func end(of key: KeyID) -> (origin: KeyID, bot: Int?) {
        var path: [KeyID] = []
        // A damaged row may make a circle of them.
        var seen: Set<KeyID> = []
        var place = key
        while ends[place] == nil, seen.insert(place).inserted {
            path.append(place)
            guard let next = predecessors[place] else { break }
            place = next
        }
        var end = ends[place] ?? (origin: path.last ?? key, bot: nil)
        for one in path.reversed() {
            end.bot = bots[one] ?? end.bot
            ends[one] = end
        }
        return end
    }
}
