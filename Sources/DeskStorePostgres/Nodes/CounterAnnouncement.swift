import DeskModel

/// Whom one counter counts.
struct CounterKey: Hashable, Sendable {
    let name: String
    let subject: CounterSubject
}

/// What one node announces of its counters.
enum CounterAnnouncement: Hashable, Sendable {
    /// Tokens were debited, or with less than none given back.
    case debit(CounterKey, Double)
    /// So many failures were noted.
    case failures(CounterKey, Int)
    /// Failures were forgotten.
    case cleared(CounterKey)
    /// What is reserved on the node is so much now.
    case reserved(CounterKey, Int64)

    /// The announcement in words.
    var text: String {
        switch self {
        case .debit(let key, let tokens): "debit \(key.text) \(tokens)"
        case .failures(let key, let count): "failures \(key.text) \(count)"
        case .cleared(let key): "cleared \(key.text)"
        case .reserved(let key, let sum): "reserved \(key.text) \(sum)"
        }
    }

    /// Reads what `text` wrote; nil for anything else.
    init?(text: Substring) {
        let words = NoticeText.words(text)
        guard words.count >= 5, let key = CounterKey(words[1..<5]) else { return nil }
        switch (words[0], words.count) {
        case ("debit", 6):
            guard let tokens = Double(words[5]), tokens.isFinite else { return nil }
            self = .debit(key, tokens)
        case ("failures", 6):
            guard let count = Int(words[5]), (1...1_000_000).contains(count) else { return nil }
            self = .failures(key, count)
        case ("cleared", 5): self = .cleared(key)
        case ("reserved", 6):
            guard let sum = Int64(words[5]), sum >= 0 else { return nil }
            self = .reserved(key, sum)
        default: return nil
        }
    }
}

extension CounterKey {
    fileprivate var text: String {
        let (high, low) = (String(subject.high, radix: 16), String(subject.low, radix: 16))
        return "\(NoticeText.word(name)) \(subject.sort) \(high) \(low)"
    }

    fileprivate init?(_ words: ArraySlice<Substring>) {
        let words = Array(words)
        guard let name = NoticeText.text(words[0]), let sort = UInt8(words[1]),
            let high = UInt64(words[2], radix: 16), let low = UInt64(words[3], radix: 16)
        else { return nil }
        self.init(name: name, subject: CounterSubject(sort: sort, high: high, low: low))
    }
}
