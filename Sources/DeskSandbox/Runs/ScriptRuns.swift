public import DeskAPI
import DeskBroker
public import DeskHTTP
import DeskLog
public import DeskModel
import DeskScript
import DeskWeb
import Synchronization

/// Plays scripts in the sandbox's business of an ordinary server, in real time.
///
/// It is state of this process: the runs that it plays, and the last ones that ended.
public final class ScriptRuns: Sendable {
    /// The longest that one script runs.
    static let longestRun = Duration.seconds(ScriptLimits.longestMinutes * 60)
    /// How long a step waits for the business where the script does not say.
    static let patience = Duration.seconds(ScriptLimits.patienceMinutes * 60)

    /// What a run needs besides what is shown of it.
    private struct Order: Sendable {
        let id: ScriptRunID
        let script: CustomerScript
        let people: [SimulatedPerson]
        let time: RealScriptTime
        let stops: AsyncStream<Void>
    }

    /// What the requests about a run reach it by.
    private struct Handle {
        var played: PlayedScript
        let time: RealScriptTime
        let stop: AsyncStream<Void>.Continuation
    }

    private struct State {
        /// In the order in which they began.
        var handles: [Handle] = []
        var isClosed = false
    }

    private let services: Services
    private let business: Business
    private let files: BlobFiles
    private let client: (any OutgoingClient)?
    private let state = Mutex(State())
    private let orders: AsyncStream<Order>
    private let order: AsyncStream<Order>.Continuation

    /// Puts the parts together; the business is the sandbox's.
    public init(
        services: Services, business: Business, files: BlobFiles, client: (any OutgoingClient)?
    ) {
        self.services = services
        self.business = business
        self.files = files
        self.client = client
        (orders, order) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(ScriptLimits.atOnce))
    }

    /// Plays what is started.
    ///
    /// Cancel: ends every run where it is.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await order in orders { group.addTask { await self.play(order) } }
        }
    }

    /// Ends every run, since the server ends; none begins from now on.
    public func close() {
        let handles = state.withLock { state in
            state.isClosed = true
            return state.handles.filter(\.played.isRunning)
        }
        for handle in handles { handle.stop.yield() }
    }

    // MARK: Requests

    /// Begins a run.
    ///
    /// Without a seed of its own, a script gets customers who never wrote before.
    /// - Throws: a problem when too many run, or one of its customers is in another run.
    func start(
        _ script: CustomerScript, _ source: String
    ) throws(Problem) -> PlayedScript {
        var script = script
        let id = ScriptRunID(services.broker.makeID())
        if !script.hasOwnSeed {
            var random = ScriptRandom(seed: 0, name: id.text)
            script.seed = random.next() >> 11
        }
        let people = try makePeople(of: script)
        let time = RealScriptTime(services.time)
        let (stops, stop) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let played = PlayedScript(
            id: id, start: time.start, source: CustomerScript.lines(of: source),
            run: ScriptRun(
                seed: script.seed, stepCount: script.steps.count, people: people, end: time.start))
        let result: Result<Void, Problem> = state.withLock { state in
            if let problem = Self.refusal(of: people, in: state) { return .failure(problem) }
            state.handles.append(Handle(played: played, time: time, stop: stop))
            return .success(())
        }
        try result.get()
        order.yield(Order(id: id, script: script, people: people, time: time, stops: stops))
        services.log.info("script_run_started", ["run": .text(id.text)])
        return played
    }

    /// The runs that can be read, the newest first.
    var all: [PlayedScript] { state.withLock { $0.handles.reversed().map(\.played) } }

    func find(_ id: ScriptRunID) -> PlayedScript? { handle(of: id)?.played }

    /// Ends the wait of the step in a line; nothing else comes earlier by that.
    func skipWait(in line: Int, of id: ScriptRunID) throws(Problem) -> PlayedScript {
        guard let handle = handle(of: id) else { throw .notFound }
        guard let step = handle.played.run.underWay, step.line == line, step.wait == .time,
            handle.time.skipWait()
        else {
            throw Problem(
                .notOffered,
                "Line \(line) does not wait for a time to pass now; only such a wait is skipped.")
        }
        return handle.played
    }

    /// Ends a run where it is; one that ended already stays as it is.
    func stop(_ id: ScriptRunID) throws(Problem) -> PlayedScript {
        guard let handle = handle(of: id) else { throw .notFound }
        if handle.played.isRunning {
            handle.time.interrupt("It was stopped.")
            handle.stop.yield()
        }
        return handle.played
    }

    // MARK: Parts

    private func handle(of id: ScriptRunID) -> Handle? {
        state.withLock { $0.handles.first { $0.played.id == id } }
    }

    /// The customers of a script; only what comes from now on is theirs to expect.
    private func makePeople(of script: CustomerScript) throws(Problem) -> [SimulatedPerson] {
        var people: [SimulatedPerson] = []
        for one in script.customers {
            let key = SimulatedPerson.Key(seed: script.seed, name: one.name)
            guard var person = SimulatedPerson(one, key) else { throw .notFound }
            person.describe(one)
            person.seen = services.broker.head.position
            people.append(person)
        }
        return people
    }

    private static func refusal(of people: [SimulatedPerson], in state: State) -> Problem? {
        guard !state.isClosed else { return Problem(.unavailable, "The server ends.") }
        let running = state.handles.filter(\.played.isRunning)
        guard running.count < ScriptLimits.atOnce else {
            var problem = Problem(
                .rateLimited,
                "\(ScriptLimits.atOnce) scripts run already, the most at once. Stop one, or wait for its end."
            )
            problem.retryAfterSeconds = 10
            return problem
        }
        let busy = Set(running.flatMap { $0.played.run.people.map(\.key) })
        return people.first { busy.contains($0.key) }.map { SimulatedPerson.isBusy($0.key.name) }
    }

    private func play(_ order: Order) async {
        let surroundings = ScriptSurroundings(
            services: services, business: business, files: files, client: client, time: order.time)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var runner = ScriptRunner(surroundings, order.script, order.people) { run in
                    self.change(order.id) { $0.run = run }
                }
                await runner.runAll()
            }
            group.addTask { for await _ in order.stops { return } }
            group.addTask {
                // Safe: only the end of the run cuts this sleep short.
                try? await self.services.time.sleep(Self.longestRun)
                guard !Task.isCancelled else { return }
                order.time.interrupt(
                    "It ran for \(TimeSpan.text(Self.longestRun)), the longest that a script may.")
            }
            await group.next()
            group.cancelAll()
        }
        end(order)
    }

    private func change(_ id: ScriptRunID, _ apply: (inout PlayedScript) -> Void) {
        state.withLock { state in
            guard let place = state.handles.firstIndex(where: { $0.played.id == id }) else {
                return
            }
            apply(&state.handles[place].played)
        }
    }

    private func end(_ order: Order) {
        change(order.id) { $0.end = order.time.now }
        let ended = find(order.id)
        state.withLock { state in
            let over = state.handles.filter { !$0.played.isRunning }
            let forgotten = Set(over.dropLast(ScriptLimits.kept).map(\.played.id))
            state.handles.removeAll { forgotten.contains($0.played.id) }
        }
        services.log.info(
            "script_run_ended",
            [
                "run": .text(order.id.text),
                "state": .text(ended?.state.rawValue ?? ""),
            ])
    }
}
