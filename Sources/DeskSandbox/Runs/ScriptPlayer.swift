import DeskAPI
import DeskBroker
import DeskHTTP
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// Plays runs in this process: does their steps, stores what is shown, and does what is asked of them.
struct ScriptPlayer: Sendable {
    /// Time between two looks at what was asked, and between two times that what is shown is stored.
    private static let pause = Duration.milliseconds(250)
    /// The machine's, as that of leases: a test's clock stands still.
    private static let clock = TimeSource.system

    let services: Services
    let business: Business
    let files: BlobFiles
    let client: (any OutgoingClient)?

    /// Plays a run to its end.
    ///
    /// Cancel: ends it where it is. Whatever ends it, the end is stored unless the lease is lost.
    func run(_ play: ScriptPlay, under lease: Lease) async {
        let surroundings = ScriptSurroundings(
            services: services, business: business, files: files, client: client, time: play.time,
            isPlayedHere: { await isHeld(lease) })
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var runner = ScriptRunner(surroundings, play.script, play.people) { run in
                    play.report(run)
                }
                await runner.runAll()
            }
            group.addTask { for await _ in play.ends { return } }
            group.addTask { await waitForLongest(play) }
            group.addTask { await store(play, under: lease) }
            group.addTask { await lookForWishes(play) }
            group.addTask {
                for await _ in play.wishes {
                    if await isEndWanted(play) { return }
                }
            }
            await group.next()
            group.cancelAll()
        }
        await end(play, under: lease)
    }

    /// Whether no other node has acquired the lease of a run, so that its next step may be done.
    private func isHeld(_ lease: Lease) async -> Bool {
        do throws(StoreError) {
            return try await services.store.renewLease(lease, life: LeaseTimes.life)
        } catch {
            // Where the store cannot say, the step fails by itself, or is done before the lease's end.
            return true
        }
    }

    private func waitForLongest(_ play: ScriptPlay) async {
        // Safe: only the end of the run cuts this sleep short.
        try? await services.time.sleep(ScriptRuns.longestRun)
        guard !Task.isCancelled else { return }
        play.time.interrupt(
            "It ran for \(TimeSpan.text(ScriptRuns.longestRun)), the longest that a script may.")
    }

    /// Stores what is shown whenever it has changed; returns when the lease is lost.
    private func store(_ play: ScriptPlay, under lease: Lease) async {
        for await _ in play.changes {
            do throws(StoreError) {
                try await services.store.updateScriptRun(play.id, to: play.document, under: lease)
            } catch {
                if error.code == .superseded || error.code == .closed { return }
                play.noteChange()
            }
            do { try await Self.clock.sleep(Self.pause) } catch { return }
        }
    }

    /// Looks again and again at what was asked, perhaps on another node; returns when the run is to end.
    private func lookForWishes(_ play: ScriptPlay) async {
        while !Task.isCancelled {
            if await isEndWanted(play) { return }
            do { try await Self.clock.sleep(Self.pause) } catch { return }
        }
    }

    /// Does what was asked; whether that is the end, or another node has ended the run.
    private func isEndWanted(_ play: ScriptPlay) async -> Bool {
        // Safe: it is looked at again.
        guard let row = try? await services.store.findScriptRun(play.id) else { return false }
        if let line = row.skippedLine { play.skipWait(in: line) }
        if row.isStopWanted { play.time.interrupt("It was stopped.") }
        return row.isStopWanted || row.end != nil
    }

    /// Stores the end; again until the lease is in doubt, which cancels it.
    private func end(_ play: ScriptPlay, under lease: Lease) async {
        play.finish()
        while true {
            do throws(StoreError) {
                return try await services.store.endScriptRun(
                    play.id, as: play.document, at: play.time.now, keeping: ScriptLimits.kept,
                    under: lease)
            } catch {
                let isOver = error.code == .superseded || error.code == .closed
                guard !isOver, !Task.isCancelled else { return }
            }
            do { try await Self.clock.sleep(Self.pause) } catch { return }
        }
    }
}
