import DeskAPI
import DeskJSON
import DeskModel
import DeskWeb

/// What came of a script.
struct ScriptRun: Sendable {
    /// The step that could not be done.
    struct Failure: Hashable, Sendable {
        /// The line in the script.
        let line: Int
        let reason: String
    }

    var seed: UInt64
    /// One line for each thing that happened, for people.
    var transcript: [String] = []
    var failure: Failure?
    var people: [SimulatedPerson] = []
    var end: Timestamp

    var hasPassed: Bool { failure == nil }

    /// Adds a line; its text never breaks into several.
    mutating func note(_ time: Timestamp, _ who: String, _ what: String) {
        let line = "\(time.text)  \(who) \(what)"
        transcript.append(
            String(decoding: line.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))
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
