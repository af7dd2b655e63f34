import DeskMessages
import DeskModel

/// What a lint judges by: said on the command line, else in a settings file, else the defaults.
struct LintSettings: Sendable, Equatable {
    /// Which way a payload is taken to travel.
    enum Way: String, CaseIterable {
        case inbound, outbound
        /// Each file by what it says itself.
        case auto
    }

    /// Whether a warning alone lets the lint fail.
    enum Warnings: String, CaseIterable {
        case allow, error
    }

    var profile: Profile?
    var way: Way?
    var world: World?
    var capabilities: CapabilityList?
    var now: Timestamp?
    var warnings: Warnings?

    init() {}

    /// What the flags say.
    init(_ parsed: Parsed) throws(UsageError) {
        profile = try Self.word(parsed, "profile")
        way = try Self.word(parsed, "direction")
        world = try Self.word(parsed, "world")
        warnings = try Self.word(parsed, "warnings")
        if let text = parsed["capabilities"] {
            let words = text.split(separator: ",").map { $0.filter { $0 != " " } }
            capabilities = try Self.capabilities(words)
        }
        if let text = parsed["now"] {
            guard let now = Timestamp(text) else {
                throw UsageError(
                    "--now does not take \"\(text)\"",
                    hint: "write it like this: 2026-06-01T00:00:00Z")
            }
            self.now = now
        }
    }

    /// These, and where they say nothing the others.
    func over(_ others: LintSettings) -> LintSettings {
        var both = self
        both.profile = profile ?? others.profile
        both.way = way ?? others.way
        both.world = world ?? others.world
        both.capabilities = capabilities ?? others.capabilities
        both.now = now ?? others.now
        both.warnings = warnings ?? others.warnings
        return both
    }

    /// What a payload that travels in a direction is judged by.
    func context(_ direction: Direction, now current: Timestamp) -> JudgementContext {
        JudgementContext(
            direction: direction, now: now ?? current, profile: profile ?? .strict,
            world: world ?? .live, capabilities: capabilities)
    }

    /// The features of a device; a word that names none is refused.
    static func capabilities(_ words: [String]) throws(UsageError) -> CapabilityList {
        let known = Capability.allCases.map(\.rawValue)
        for word in words where !known.contains(word.uppercased()) {
            let near = Nearest.find(word.uppercased(), among: known)
            throw UsageError(
                "no device announces the capability \"\(word)\"",
                hint: near.map { "did you mean \($0)?" }
                    ?? "there are \(known.joined(separator: ", "))")
        }
        return CapabilityList(header: words.joined(separator: ","))
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ parsed: Parsed, _ flag: String
    ) throws(UsageError) -> Word? where Word.RawValue == String {
        guard let text = parsed[flag] else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        throw UsageError(
            "--\(flag) does not take \"\(text)\"",
            hint: Nearest.find(text, among: words).map { "did you mean \($0)?" }
                ?? "it takes \(words.joined(separator: ", "))")
    }
}
