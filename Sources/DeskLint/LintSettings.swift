package import DeskCommandLine
package import DeskMessages
package import DeskModel

/// What a lint judges by: said on the command line, else in a settings file, else the defaults.
package struct LintSettings: Sendable, Equatable {
    /// Which way a payload is assumed to travel.
    package enum Way: String, CaseIterable {
        case inbound, outbound
        /// Each file by what it says itself.
        case auto
    }

    /// Whether a warning alone lets the lint fail.
    package enum Warnings: String, CaseIterable {
        case allow, error
    }

    /// What the files are: messages, a document by its name, or each file by what it says itself.
    package enum Kind: Sendable, Equatable {
        case message, auto
        case document(String)

        package init(_ word: String) {
            switch word {
            case "message": self = .message
            case "auto": self = .auto
            default: self = .document(word)
            }
        }
    }

    package var profile: Profile?
    package var way: Way?
    package var kind: Kind?
    package var mode: Mode?
    package var capabilities: CapabilityList?
    package var now: Timestamp?
    package var references: ReferenceIntake?
    package var warnings: Warnings?
    /// What the envelope has to agree with; only the command line knows.
    package var envelope = ExpectedEnvelope()

    package init() {}

    /// What the flags say.
    package init(_ parsed: Parsed) throws(UsageError) {
        profile = try Self.word(parsed, "profile")
        way = try Self.word(parsed, "direction")
        mode = try Self.word(parsed, "mode")
        references = try Self.word(parsed, "references")
        warnings = try Self.word(parsed, "warnings")
        kind = parsed["kind"].map { Kind($0) }
        envelope = ExpectedEnvelope(
            sourceID: parsed["source-id"], destinationID: parsed["destination-id"])
        if let text = parsed["capabilities"] {
            let words = text.split(separator: ",").map { $0.filter { $0 != " " } }
            capabilities = try Self.capabilities(words)
        }
        if let text = parsed["now"] {
            guard let now = Timestamp(text) else {
                throw UsageError(
                    "--now does not accept \"\(text)\"",
                    hint: "write it like this: 2026-06-01T00:00:00Z")
            }
            self.now = now
        }
    }

    /// These, and where they say nothing the others.
    package func over(_ others: LintSettings) -> LintSettings {
        var both = self
        both.profile = profile ?? others.profile
        both.way = way ?? others.way
        both.mode = mode ?? others.mode
        both.capabilities = capabilities ?? others.capabilities
        both.kind = kind ?? others.kind
        both.now = now ?? others.now
        both.references = references ?? others.references
        both.warnings = warnings ?? others.warnings
        return both
    }

    /// What a payload that travels in a direction is judged by.
    package func context(_ direction: Direction, now current: Timestamp) -> JudgementContext {
        JudgementContext(
            direction: direction, now: now ?? current, profile: profile ?? .strict,
            mode: mode ?? .live, capabilities: capabilities, envelope: envelope,
            references: references ?? .taken)
    }

    /// Refuses a kind that is none.
    package func judgeKind(_ rulebook: Rulebook) throws(UsageError) {
        guard case .document(let name)? = kind, !rulebook.documentNames.contains(name) else {
            return
        }
        let words = ["message", "auto"] + rulebook.documentNames
        throw UsageError(
            "--kind does not accept \"\(name)\"",
            hint: Nearest.find(name, among: words).map { "did you mean \($0)?" }
                ?? "it accepts message, auto, or a name of: frontdesk schema list")
    }

    /// The features of a device; a word that names none is refused.
    package static func capabilities(_ words: [String]) throws(UsageError) -> CapabilityList {
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
            "--\(flag) does not accept \"\(text)\"",
            hint: Nearest.find(text, among: words).map { "did you mean \($0)?" }
                ?? "it accepts \(words.joined(separator: ", "))")
    }
}
