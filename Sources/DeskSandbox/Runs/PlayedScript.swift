import DeskAPI
import DeskJSON
import DeskModel
import DeskScript

/// A script that this process plays in the sandbox, or has played.
struct PlayedScript: Sendable {
    /// How it stands.
    enum State: String, Sendable {
        case running, passed, failed, stopped
    }

    let id: ScriptRunID
    let start: Timestamp
    /// When it ended; nil while it runs.
    var end: Timestamp?
    /// The lines of the script, for those who look at the run without its text.
    let source: [String]
    var run: ScriptRun

    /// What stands in a line of the script.
    func text(ofLine line: Int) -> String {
        source.indices.contains(line - 1) ? source[line - 1] : ""
    }

    var isRunning: Bool { end == nil }

    var state: State {
        if isRunning { return .running }
        if run.isInterrupted { return .stopped }
        return run.hasPassed ? .passed : .failed
    }

    /// What is shown of it, on every node.
    var document: [UInt8] {
        var text = JSONWriter()
        text.played(self)
        return text.bytes
    }
}

extension JSONWriter {
    /// Writes a run, with what happened in it so far.
    fileprivate mutating func played(_ script: PlayedScript) {
        let run = script.run
        object { text in
            text.member("id", script.id.text)
            text.member("state", script.state.rawValue)
            text.member("seed", String(run.seed))
            text.member("startedAt", script.start)
            text.member("endedAt", script.end)
            text.member("endsBy", script.start.advanced(by: ScriptRuns.longestRun))
            text.member("steps") { text in
                text.object {
                    $0.member("done", run.doneCount)
                    $0.member("all", run.stepCount)
                }
            }
            text.member("step") { text in
                guard let step = run.underWay else { return text.null() }
                text.object {
                    $0.member("line", step.line)
                    $0.member("text", script.text(ofLine: step.line))
                    $0.member("customer", step.who)
                    $0.member("waitsFor", step.wait.rawValue)
                    $0.member("until", step.until)
                }
            }
            text.member("failure") { text in
                guard let failure = run.failure else { return text.null() }
                text.object {
                    $0.member("line", failure.line)
                    $0.member("text", script.text(ofLine: failure.line))
                    $0.member("reason", failure.reason)
                }
            }
            text.lines(run.lines)
            text.member("customers") { text in
                text.array { text in
                    for person in run.people {
                        text.object {
                            $0.member("name", person.key.name)
                            $0.member("customer", person.customer.text)
                            $0.member(
                                "conversation", person.hasActed ? person.conversation.text : nil)
                        }
                    }
                }
            }
        }
    }

    private mutating func lines(_ lines: [ScriptRun.Line]) {
        member("lines") { text in
            text.array { text in
                for line in lines {
                    text.object {
                        $0.member("time", line.time)
                        $0.member("customer", line.who)
                        $0.member("text", line.what)
                        $0.member("line") { text in
                            guard let place = line.line else { return text.null() }
                            text.number(place)
                        }
                    }
                }
            }
        }
    }
}
