public import DeskAPI
import DeskBroker
public import DeskHTTP
import DeskLog
public import DeskModel
import DeskScript
import DeskStore
import DeskWeb
import Synchronization

/// Plays scripts in the sandbox's business of an ordinary server, in real time.
///
/// Runs are rows of the store, which every node shows, and each is played by one node under a lease. The state
/// of this process is what it plays itself.
public final class ScriptRuns: Sendable {
    /// The longest that one script runs.
    static let longestRun = Duration.seconds(ScriptLimits.longestMinutes * 60)
    /// How long a step waits for the business where the script does not say.
    static let patience = Duration.seconds(ScriptLimits.patienceMinutes * 60)
    /// Why a run ended that no node plays any more.
    static let lost = "The server that played it ended, or lost its connection to the database."

    private struct State {
        var plays: [ScriptRunID: ScriptPlay] = [:]
        var isClosed = false
    }

    private let services: Services
    private let player: ScriptPlayer
    private let state = Mutex(State())
    private let orders: AsyncStream<ScriptPlay>
    private let order: AsyncStream<ScriptPlay>.Continuation

    /// Puts the parts together; the business is the sandbox's.
    public init(
        services: Services, business: Business, files: BlobFiles, client: (any OutgoingClient)?
    ) {
        self.services = services
        player = ScriptPlayer(
            services: services, business: business, files: files, client: client)
        (orders, order) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(ScriptLimits.atOnce))
    }

    /// Plays what is started in this process.
    ///
    /// Cancel: ends every run where it is.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await play in orders { group.addTask { await self.hold(play) } }
        }
    }

    /// Ends every run of this process, since the server ends; none begins from now on.
    public func close() {
        let plays = state.withLock { state in
            state.isClosed = true
            return Array(state.plays.values)
        }
        for play in plays { play.stop("The server ends.") }
    }

    // MARK: Requests

    /// Begins a run.
    ///
    /// Without a seed of its own, a script gets customers who never wrote before.
    /// - Throws: a problem when too many run, or one of its customers is in another run, on whichever node.
    func start(
        _ script: CustomerScript, _ source: String
    ) async throws(Problem) -> ShownRun {
        guard !state.withLock({ $0.isClosed }) else {
            throw Problem(.unavailable, "The server ends.")
        }
        var script = script
        let id = ScriptRunID(services.broker.makeID())
        if !script.hasOwnSeed {
            var random = ScriptRandom(seed: 0, name: id.text)
            script.seed = random.next() >> 11
        }
        let people = try makePeople(of: script)
        let time = RealScriptTime(services.time)
        let played = PlayedScript(
            id: id, start: time.start, source: CustomerScript.lines(of: source),
            run: ScriptRun(
                seed: script.seed, stepCount: script.steps.count, people: people, end: time.start))
        let row = ScriptRunRow(id: id, start: time.start, document: played.document)
        let lease = try await begin(row, with: people)
        let play = ScriptPlay(played, of: script, time: time, under: lease)
        let isClosed = state.withLock { state in
            state.plays[id] = play
            return state.isClosed
        }
        if isClosed { play.stop("The server ends.") }
        order.yield(play)
        services.log.info("script_run_started", ["run": .text(id.text)])
        return try await services.asking { _ throws(StoreError) in try ShownRun(row) }
    }

    /// The runs that can be read, the newest first.
    func all() async throws(Problem) -> [ShownRun] {
        try await services.asking { store throws(StoreError) in
            let rows = try await store.scriptRuns()
            let isAsStored = try await !endLost(rows)
            return try (isAsStored ? rows : try await store.scriptRuns()).map {
                row throws(StoreError) in try ShownRun(row)
            }
        }
    }

    func find(_ id: ScriptRunID) async throws(Problem) -> ShownRun {
        let found = try await services.asking { store throws(StoreError) -> ShownRun? in
            guard let row = try await store.findScriptRun(id) else { return nil }
            let isAsStored = try await !endLost([row])
            let now = isAsStored ? row : try await store.findScriptRun(id)
            guard let now else { return nil }
            return try ShownRun(now)
        }
        guard let found else { throw .notFound }
        return found
    }

    /// Ends the wait of the step in a line; nothing else comes earlier by that.
    func skipWait(in line: Int, of id: ScriptRunID) async throws(Problem) -> ShownRun {
        let found = try await find(id)
        guard found.waitsForTime(inLine: line), try await ask(id, for: .skip(line: line)) else {
            throw Problem(
                .notOffered,
                "Line \(line) does not wait for a time to pass now; only such a wait is skipped.")
        }
        return found
    }

    /// Ends a run where it is; one that ended already stays as it is.
    func stop(_ id: ScriptRunID) async throws(Problem) -> ShownRun {
        let found = try await find(id)
        if found.isRunning { _ = try await ask(id, for: .stop) }
        return found
    }

    // MARK: Parts

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

    /// Stores a run that begins; returns what this process plays it under.
    private func begin(
        _ row: ScriptRunRow, with people: [SimulatedPerson]
    ) async throws(Problem) -> Lease {
        let (begun, lease) = try await services.asking {
            store throws(StoreError) -> (ScriptRunBeginning, Lease) in
            guard
                let lease = try await store.acquireLease(
                    ScriptRunRow.lease(of: row.id), life: LeaseTimes.life)
            else { throw StoreError(.busy, "the lease of a new run") }
            func begin() async throws(StoreError) -> ScriptRunBeginning {
                try await store.beginScriptRun(
                    row, of: people.map(\.key.text), atMost: ScriptLimits.atOnce, under: lease)
            }
            var begun = try await begin()
            if begun != .begun, try await endLost(try await store.scriptRuns()) {
                begun = try await begin()
            }
            if begun != .begun { try await store.releaseLease(lease) }
            return (begun, lease)
        }
        switch begun {
        case .begun: return lease
        case .tooMany:
            var problem = Problem(
                .rateLimited,
                "\(ScriptLimits.atOnce) scripts run already, the most at once. Stop one, or wait for its end."
            )
            problem.retryAfterSeconds = 10
            throw problem
        case .isBusy(let key):
            let busy = people.first { $0.key.text.utf8.elementsEqual(key.utf8) }
            throw SimulatedPerson.isBusy(busy?.key.name ?? "")
        }
    }

    private func ask(_ id: ScriptRunID, for wish: ScriptRunWish) async throws(Problem) -> Bool {
        let isAsked = try await services.asking { store throws(StoreError) in
            try await store.askScriptRun(id, for: wish)
        }
        state.withLock { $0.plays[id] }?.noteWish()
        return isAsked
    }

    /// Ends those of some runs that no node plays any more; whether there were any.
    private func endLost(_ rows: [ScriptRunRow]) async throws(StoreError) -> Bool {
        var found = false
        for row in rows where row.end == nil && state.withLock({ $0.plays[row.id] == nil }) {
            let ended = try await services.store.withFreeLease(ScriptRunRow.lease(of: row.id)) {
                (lease: Lease) async -> Result<Void, StoreError> in
                do throws(StoreError) {
                    return .success(try await endLost(row.id, under: lease))
                } catch {
                    return .failure(error)
                }
            }
            try ended?.get()
            found = found || ended != nil
        }
        return found
    }

    /// Ends a run that is played no more; one that has ended stays as it is.
    private func endLost(_ id: ScriptRunID, under lease: Lease) async throws(StoreError) {
        guard let row = try await services.store.findScriptRun(id), row.end == nil else { return }
        let now = services.time.now()
        try await services.store.endScriptRun(
            id, as: try ShownRun(row).stopped(Self.lost, at: now), at: now,
            keeping: ScriptLimits.kept, under: lease)
        services.log.warning("script_run_lost", ["run": .text(id.text)])
    }

    /// Plays a run under its lease; once the lease was lost, it is not played again.
    private func hold(_ play: ScriptPlay) async {
        await LeaseHolder(of: services.store, named: play.lease.name).run(holding: play.lease) {
            lease in
            if play.begin() { return await self.player.run(play, under: lease) }
            // Safe: the next look at the run ends it.
            try? await self.endLost(play.id, under: lease)
        }
        state.withLock { $0.plays[play.id] = nil }
        services.log.info(
            "script_run_ended",
            ["run": .text(play.id.text), "state": .text(play.shown.rawValue)])
    }
}
