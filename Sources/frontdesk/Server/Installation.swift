import DeskAPI
import DeskBroker
import DeskCrypto
import DeskDelivery
import DeskGateway
import DeskHTTP
import DeskLog
import DeskModel
import DeskNet
import DeskSandbox
import DeskStore
import DeskTeam
import DeskWeb

/// The whole server, put together: the parent of everything that runs.
struct Installation: Sendable {
    /// Attempts to send to delivery targets that run at once, over all of them.
    private static let attemptsAtOnce = 16
    /// How long the database may be away before the open streams end.
    private static let secondsUntilStreamsEnd = 10

    let configuration: ServeConfiguration
    let parts: StoreParts
    let server: Server
    let services: Services
    let sandbox: Sandbox
    /// The scripts that are played in the sandbox; nil where there is none.
    let runs: ScriptRuns?
    let businesses: FirstStart.Businesses
    let readiness: Readiness
    let pages: PageRoutes
    let gateway: GatewayParts
    let admin: AdminSocket
    let place: NodePlace
    /// Reads the store through; nil where the database does that by itself.
    let reading: StoreReading
    let housekeeping: Housekeeping
    let retention: RetentionWorker
    let reports: ReaderRunner
    let rules: ReaderRunner
    let webhooks: WebhookRunner
    let pushes: ReaderRunner
    let agentPushes: ReaderRunner
    let pushSender: PushSender
    let assigner: Assigner
    /// How long its construction lasted.
    let buildTime: Duration

    /// The log and the registries.
    var store: any Store & Maintenance { parts.store }

    /// Serves until it is asked to end and everything is closed.
    ///
    /// - Throws: when the server cannot run at all.
    func run(_ signals: SignalWatch) async throws(NetError) {
        readiness.set(true)
        let address = configuration.listen
        services.log.info(
            "server_started",
            [
                "version": .text(Version.number),
                "address": .text("\(address.hostInURL):\(server.port)"),
                "secure": .truth(configuration.isSecure),
                "start_ms": .number(Int(buildTime / .milliseconds(1))),
            ])
        let failure = await withTaskGroup(of: NetError?.self) { group in
            group.addTask { await obey(signals) }
            group.addTask {
                await services.broker.run()
                return nil
            }
            group.addTask {
                await parts.run()
                return nil
            }
            group.addTask {
                await housekeeping.run()
                return nil
            }
            group.addTask {
                await services.keepKeyRequests()
                return nil
            }
            group.addTask {
                await services.signInFailures.run()
                return nil
            }
            group.addTask {
                await BusinessFigures(services: services).run()
                return nil
            }
            group.addTask {
                await LatenessFigures(services: services).run()
                return nil
            }
            group.addTask {
                await Scheduler(services: services).run()
                return nil
            }
            group.addTask {
                await place.hold(again: { await sayKeys(at: $0) }) { url in
                    services.log.error("public_url_replaced", ["by": .text(url)])
                    Crash.now(code: 70)
                }
                return nil
            }
            group.addTask {
                let gauges = [store.disk, parts.blobs.disk].compactMap { $0 }
                guard !gauges.isEmpty else {
                    await services.disk.runUnmeasured(services.time)
                    return nil
                }
                await services.disk.run(services.time) { () async throws(StoreError) in
                    try await DiskSpace.least(of: gauges)
                }
                return nil
            }
            group.addTask {
                await LeaseHolder(of: store, named: "script").run { _ in
                    await ScriptedCustomer(services: services, business: businesses.sandbox).run()
                }
                return nil
            }
            group.addTask {
                await runs?.run()
                return nil
            }
            group.addTask {
                await reading.run()
                return nil
            }
            group.addTask {
                do { try await services.time.sleep(StoreReading.settling) } catch { return nil }
                await pages.pack()
                return nil
            }
            group.addTask {
                // A node that is a moment behind keeps its streams: they go on by themselves.
                var secondsAway = 0
                while !Task.isCancelled {
                    server.measureLag()
                    secondsAway = parts.isReachable() ? 0 : secondsAway + 1
                    services.streams.pause(secondsAway > Self.secondsUntilStreamsEnd)
                    do { try await services.time.sleep(.seconds(1)) } catch { return nil }
                }
                return nil
            }
            group.addTask {
                await GatewayRunner(
                    gateway, slots: AttemptSemaphore(Self.attemptsAtOnce),
                    settings: OutboxSettings()
                ).run()
                return nil
            }
            group.addTask {
                await SearchFollower(services: services, index: parts.search).run()
                return nil
            }
            group.addTask {
                await assigner.run()
                return nil
            }
            group.addTask {
                await BotTimer(services: services).run()
                return nil
            }
            group.addTask {
                await retention.run()
                return nil
            }
            group.addTask {
                await reports.run()
                return nil
            }
            group.addTask {
                await rules.run()
                return nil
            }
            group.addTask {
                await webhooks.run()
                return nil
            }
            group.addTask {
                await pushes.run()
                return nil
            }
            group.addTask {
                await agentPushes.run()
                return nil
            }
            group.addTask {
                await pushSender.run()
                return nil
            }
            group.addTask {
                await admin.run(commands, parts.blobs, log: services.log)
                return nil
            }
            // The listener decides how long the server runs; everything else ends with it.
            let failure = await serve()
            group.cancelAll()
            return failure
        }
        readiness.set(false)
        // Safe: the time that is kept so spares the next start a doubt, no more.
        try? await housekeeping.finish()
        await parts.search.close()
        await parts.close()
        services.log.info("server_ended")
        if let failure { throw failure }
    }

    /// What commands from outside work on.
    var commands: AdminCommands {
        AdminCommands(
            store: store, time: services.time, database: configuration.database?.text,
            publicURL: services.publicURL.origin,
            listening: "\(configuration.listen.hostInURL):\(server.port)", links: services.links,
            broker: services.broker, log: services.log,
            freeBytes: Int64(services.limits.web.diskHardBytes),
            sandboxLink: { [sandbox, services] in
                sandbox.link(at: services.publicURL.origin, from: services.time.now())
                    .map { ($0, sandbox.linkLife) }
            },
            readerFailures: { [reports, rules, pushes, agentPushes] in
                [reports, rules, pushes, agentPushes].compactMap(\.lastFailure)
            })
    }

    private func serve() async -> NetError? {
        do throws(NetError) {
            try await server.run()
            return nil
        } catch {
            return error
        }
    }

    /// Says again which encryption keys this server has, as its place has a new term.
    ///
    /// While it had none, for a frozen machine or a cut network, keys may have been rotated without it.
    private func sayKeys(at place: Lease) async {
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await parts.useKeys(place)
            } catch {
                if [.keyMissing, .refused].contains(error.code) {
                    services.log.error("keys_replaced", ["reason": .text(error.detail)])
                    Crash.now(code: 73)
                }
                if [.closed, .superseded].contains(error.code) { return }
                // Safe: it fails only when cancelled, which the loop looks at.
                try? await Task.sleep(for: LeaseTimes.renewal)
            }
        }
    }

    /// The first request to end drains; a second one ends the process as a crash would.
    private func obey(_ signals: SignalWatch) async -> NetError? {
        for await request in signals.requests {
            switch request {
            case .end:
                guard !server.isDraining else { Crash.now(code: 1) }
                readiness.set(false)
                services.streams.close()
                runs?.close()
                server.drain()
            case .reloadCertificate: reloadCertificate()
            }
        }
        return nil
    }

    private func reloadCertificate() {
        guard let certificate = configuration.certificate, let key = configuration.key else {
            return
        }
        do throws(Failure) {
            server.reload(
                certificate: try CertificateFiles(chain: certificate, key: key)
                    .context(services.log, services.metrics))
            services.log.info("certificate_reloaded")
        } catch {
            // The old one stays in use; the operator sees why.
            services.log.error("certificate_refused", ["reason": .text(error.message)])
        }
    }
}
