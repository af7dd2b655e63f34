public import DeskModel

/// What the real channel does with a message that breaks a rule; severities follow from it.
public enum ChannelAnswer: String, Sendable, CaseIterable {
    /// The message is refused: an error everywhere.
    case refuses
    /// The message is accepted, and what the rule is about works as meant: never an error.
    case accepts
    /// The message is accepted, and what the rule is about has no effect: a warning, or an error in
    /// the strict profile where something else is seen than was meant.
    case ignores
    /// The message is accepted, and the device cannot do what it asks.
    case fails
    /// Not known: no source reports it, or sources disagree.
    case unknown
    /// The rule does not speak of the channel.
    case none

    /// The answer as the docs put it.
    public var words: String {
        switch self {
        case .refuses: "refuses it"
        case .accepts: "accepts it"
        case .ignores: "accepts it, without effect"
        case .fails: "accepts it, the device fails"
        case .unknown: "not known"
        case .none: "has no say"
        }
    }
}

/// The one table of severities: rule, profile, whether the business is live, and what the channel
/// does.
public enum RuleTable {
    /// One rule's line.
    public struct Row: Sendable {
        /// The rule.
        public let rule: Rule
        /// What it is about, in a few words.
        public let title: String
        /// What the real channel does with a message that breaks it.
        public let channel: ChannelAnswer
        /// How that is known.
        public let source: String
        private let live: (strict: Severity?, lenient: Severity?)
        private let test: (strict: Severity?, lenient: Severity?)

        init(
            _ rule: Rule, _ title: String, _ strict: Severity?, _ lenient: Severity?,
            _ channel: ChannelAnswer, _ source: String
        ) {
            self.init(
                rule, title, live: (strict, lenient), test: (strict, lenient), channel, source)
        }

        init(
            _ rule: Rule, _ title: String, live: (Severity?, Severity?),
            test: (Severity?, Severity?), _ channel: ChannelAnswer, _ source: String
        ) {
            self.rule = rule
            self.title = title
            self.live = live
            self.test = test
            self.channel = channel
            self.source = source
        }

        /// The severity; nil where the rule is off.
        public subscript(profile: Profile, mode: Mode) -> Severity? {
            let pair = mode == .live ? live : test
            return profile == .strict ? pair.strict : pair.lenient
        }
    }

    /// Rules that belong together.
    public struct Group: Sendable {
        /// What they have in common.
        public let heading: String
        /// Their lines.
        public let rows: [Row]
    }

    /// A rule's line.
    static func row(of rule: Rule) -> Row {
        guard let row = rows[rule] else { preconditionFailure("no line for \(rule.id)") }
        return row
    }

    private static let rows = Dictionary(
        uniqueKeysWithValues: groups.flatMap(\.rows).map { ($0.rule, $0) })
}
