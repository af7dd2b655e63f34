import DeskAPI
import DeskModel
import DeskScript
import DeskStore
import Synchronization

/// A run in the process that plays it: what is shown of it so far, and how others reach it.
final class ScriptPlay: Sendable {
    private struct State {
        var played: PlayedScript
        var hasBegun = false
    }

    let id: ScriptRunID
    /// What the process plays it under.
    let lease: Lease
    let script: CustomerScript
    let people: [SimulatedPerson]
    let time: RealScriptTime
    /// That what is shown has changed.
    let changes: AsyncStream<Void>
    /// That something was asked of it in this process.
    let wishes: AsyncStream<Void>
    /// That it ends where it is.
    let ends: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let wish: AsyncStream<Void>.Continuation
    private let end: AsyncStream<Void>.Continuation
    private let state: Mutex<State>

    init(
        _ played: PlayedScript, of script: CustomerScript, time: RealScriptTime, under lease: Lease
    ) {
        id = played.id
        self.lease = lease
        self.script = script
        people = played.run.people
        self.time = time
        (changes, change) = Self.makeSignal()
        (wishes, wish) = Self.makeSignal()
        (ends, end) = Self.makeSignal()
        state = Mutex(State(played: played))
    }

    private static func makeSignal() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How it is shown to stand.
    var shown: PlayedScript.State { state.withLock { $0.played.state } }

    /// What is shown of it.
    var document: [UInt8] { state.withLock { $0.played.document } }

    /// Whether it is to be played now: true once.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    /// Shows how far it is.
    func report(_ run: ScriptRun) {
        state.withLock { $0.played.run = run }
        noteChange()
    }

    /// Has what is shown stored, or stored again.
    func noteChange() { change.yield() }

    /// Shows that it has ended.
    func finish() { state.withLock { $0.played.end = time.now } }

    /// Has it looked at what was asked of the run.
    func noteWish() { wish.yield() }

    /// Ends it where it is, for a reason in a sentence.
    func stop(_ reason: String) {
        time.interrupt(reason)
        end.yield()
    }

    /// Ends the wait of the step in a line; another step's goes on.
    func skipWait(in line: Int) {
        let step = state.withLock { $0.played.run.underWay }
        guard let step, step.line == line, step.wait == .time else { return }
        // Where the wait has not begun yet, it is asked for again.
        _ = time.skipWait()
    }
}
