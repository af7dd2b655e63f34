import DeskAPI
import DeskJSON
import DeskModel
import DeskScript
import DeskWeb

/// What came of a script.
struct ScriptRun: Sendable {
    /// The step that could not be done.
    struct Failure: Hashable, Sendable {
        /// The line in the script.
        let line: Int
        let reason: String
    }

    /// One thing that happened.
    struct Line: Hashable, Sendable {
        let time: Timestamp
        /// The customer; a dash for what is of none of them.
        let who: String
        let what: String
        /// The line in the script; nil when no step did it.
        let line: Int?
    }

    /// The step that is being done.
    struct UnderWay: Hashable, Sendable {
        /// What the step waits for.
        enum Wait: String, Sendable {
            /// That time passes; this wait can be skipped.
            case time
            /// A message of the business's.
            case message
            /// Nothing but its own end.
            case nothing
        }

        let line: Int
        let who: String
        let wait: Wait
        /// When the wait ends at the latest.
        let until: Timestamp?
    }

    var seed: UInt64
    /// How many steps the script has.
    let stepCount: Int
    /// How many of them succeeded.
    var doneCount = 0
    var underWay: UnderWay?
    /// What happened, for people.
    var lines: [Line] = []
    var failure: Failure?
    /// Whether it failed because it was ended from outside.
    var isInterrupted = false
    var people: [SimulatedPerson]
    var end: Timestamp

    var hasPassed: Bool { failure == nil }

    /// One line of text for each thing that happened.
    var transcript: [String] { lines.map { "\($0.time.text)  \($0.who) \($0.what)" } }

    init(seed: UInt64, stepCount: Int, people: [SimulatedPerson], end: Timestamp) {
        self.seed = seed
        self.stepCount = stepCount
        self.people = people
        self.end = end
    }

    /// Adds a line; its text never breaks into several.
    mutating func note(_ time: Timestamp, _ who: String, _ what: String, line: Int?) {
        let text = String(decoding: what.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
        lines.append(Line(time: time, who: who, what: text, line: line))
    }

    var json: [UInt8] {
        JSONWriter.object(capacity: 4_096) { text in
            text.member("passed", hasPassed)
            text.member("seed", String(seed))
            text.member("now", end)
            text.member("failure") { text in
                guard let failure else { return text.null() }
                text.object {
                    $0.member("line", failure.line)
                    $0.member("reason", failure.reason)
                }
            }
            text.member("transcript") { text in
                text.array { text in for line in transcript { text.string(line) } }
            }
            text.member("customers") { text in
                text.array { text in
                    for person in people {
                        text.object {
                            $0.member("name", person.key.name)
                            $0.member("customer", person.customer.text)
                            $0.member("conversation", person.conversation.value)
                        }
                    }
                }
            }
        }
    }
}

extension ScriptRun.UnderWay {
    /// What a step waits for from now on.
    init(_ step: ScriptStep, _ who: String, _ time: any ScriptTime) {
        let (wait, span): (Wait, Duration?) =
            switch step.action {
            case .waits(let span), .goesSilent(let span?): (.time, span)
            case .expects(_, let patience): (.message, patience ?? time.patience)
            case .picks, .fills, .pays, .cancelsPayment, .signsIn: (.message, time.patience)
            case .says, .attaches, .reacts, .deletes, .goesSilent(nil): (.nothing, nil)
            }
        self.init(
            line: step.line, who: who, wait: wait, until: span.map { time.now.advanced(by: $0) })
    }
}
