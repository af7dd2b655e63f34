import DeskBroker
import DeskBytes
import DeskCrypto
public import DeskHTTP
public import DeskLog
public import DeskModel
public import DeskStore
import Synchronization

/// Sends messages to browsers by their push services (RFC 8030): what `PushReader` and `AgentPushReader` found.
///
/// What waits is in memory and is lost with the process: a reader waits for the first attempt before its cursor
/// moves, as long as `patience`, so that a crash loses only what a push service did not accept by then.
public final class PushSender: Sendable {
    /// How long a first attempt is waited for; what lasts longer goes on by itself.
    static let patience = Duration.seconds(2)
    /// The deadline of one exchange.
    static let timeout = Duration.seconds(10)
    /// Most bytes of an answer.
    private static let mostRead = 16_384
    /// The waits before the attempts behind the first.
    private static let waits = [Duration.seconds(10), .seconds(60)]
    /// The longest wait that a push service may ask for; beyond it the message is given up.
    private static let longestWait = Duration.seconds(300)
    let key: PushKey
    let services: PushServices
    private let store: any Store
    private let client: any OutgoingClient
    private let contact: String
    private let agent: String
    private let time: TimeSource
    private let log: Log
    private let counts: PushCounts
    private let queue = Mutex(PushQueue())
    private let wakeSignal = WakeSignal()

    /// Puts it together; nothing is sent before `run()`.
    ///
    /// - Parameters:
    ///   - client: its rules of addresses hold at every attempt.
    ///   - contact: where the operator of a push service reaches this installation's.
    public init(
        key: PushKey, services: PushServices, store: any Store, client: any OutgoingClient,
        contact: String, version: String, time: TimeSource = .system, log: Log = .silent,
        metrics: Metrics = Metrics()
    ) {
        self.key = key
        self.services = services
        self.store = store
        self.client = client
        self.contact = contact
        agent = "Frontdesk/\(version)"
        self.time = time
        self.log = log
        counts = PushCounts(metrics)
    }

    /// Sends until the task is cancelled.
    ///
    /// Cancel: attempts that run are cut short, and what waits is forgotten.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = time.instant()
                let (jobs, due) = queue.withLock { ($0.take(at: now), $0.nextDue(after: now)) }
                for job in jobs { group.addTask { await self.attempt(job) } }
                await wait(until: due)
            }
            group.cancelAll()
        }
    }

    /// Has messages sent, and waits for their first attempts, no longer than `patience`.
    func send(_ messages: [PushMessage]) async {
        let known = messages.compactMap { message in
            services.address(of: message.subscription.endpoint).map { (message, $0) }
        }
        let batch = PushBatch(known.map(\.0.key))
        let now = time.instant()
        for (message, address) in known {
            let job = PushQueue.Job(message: message, address: address, batch: batch, due: now)
            let added = queue.withLock { $0.add(job) }
            added.replaced?.batch.note(message.key)
            if let dropped = added.dropped { giveUp(dropped, "too many wait", status: nil) }
            // A push service that fails or hangs holds the reader no second time.
            if added.waits { batch.note(message.key) }
        }
        showWaiting()
        wakeSignal.notify()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await batch.wait() }
            // Safe: sleeping fails only when cancelled.
            group.addTask { try? await self.time.sleep(Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(until due: ContinuousClock.Instant?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wakeSignal.wait() }
            if let due {
                let wait = time.instant().duration(to: due)
                // Safe: sleeping fails only when cancelled.
                group.addTask { try? await self.time.sleep(max(.zero, wait)) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func attempt(_ job: PushQueue.Job) async {
        let begin = time.instant()
        let end = await post(job)
        counts.record(milliseconds: Int(begin.duration(to: time.instant()) / .milliseconds(1)))
        queue.withLock { $0.end(job.message.key) }
        switch end {
        case .sent: counts.sent.add()
        case .gone: await forget(job)
        case .failed(let detail, let status): giveUp(job, detail, status: status)
        case .later(let wait, let detail, let status):
            guard job.attempts < Self.waits.count, (wait ?? .zero) <= Self.longestWait else {
                giveUp(job, detail, status: status)
                break
            }
            var next = job
            next.due = time.instant().advanced(by: max(wait ?? .zero, Self.waits[job.attempts]))
            next.attempts += 1
            queue.withLock { $0.putBack(next) }
        }
        job.batch.note(job.message.key)
        showWaiting()
        wakeSignal.notify()
    }

    /// How an attempt ended.
    private enum End {
        case sent
        /// The subscription is not there any more.
        case gone
        /// It is of no use to try again.
        case failed(String, Int?)
        /// It may be tried again after a time that the service may have said.
        case later(Duration?, String, Int?)
    }

    private func post(_ job: PushQueue.Job) async -> End {
        let subscription = job.message.subscription
        let body: [UInt8]
        do throws(CryptoError) {
            body = try PushEncryption.encrypt(
                job.message.payload, point: subscription.point, secret: subscription.secret)
        } catch {
            return .failed("\(error)", nil)
        }
        let now = time.now()
        let headers: HeaderFields = [
            "authorization": key.authorization(
                for: job.address.origin, from: contact, at: now),
            "content-encoding": "aes128gcm", "content-type": "application/octet-stream",
            "ttl": "\(job.message.keptSeconds)", "urgency": "high",
            "topic": Self.topic(of: job.message.subject), "user-agent": agent,
        ]
        let request = OutgoingRequest(
            .post, subscription.endpoint, headers: headers, body: .bytes(body),
            timeout: Self.timeout, answerLimit: Self.mostRead)
        do throws(OutgoingError) {
            let answer = try await client.send(request)
            let code = answer.status.code
            switch code {
            case 200...299: return .sent
            case 404, 410: return .gone
            case 429, 500...599:
                return .later(
                    RetryAfter.wait(answer.headers, at: now), "answered \(code)", code)
            default: return .failed("answered \(code)", code)
            }
        } catch {
            switch error.code {
            case .address, .forbidden: return .failed(error.code.rawValue, nil)
            case .name, .connection, .security, .timeout, .cutOff, .tooLarge, .cancelled:
                return .later(nil, error.code.rawValue, nil)
            }
        }
    }

    /// What makes a later message replace an earlier one that a device was off for: 32 letters, by subject.
    private static func topic(of subject: String) -> String {
        let digest = SHA256.digest("push topic \(subject)")
        return Base64.encode(Array(digest.prefix(24)), alphabet: .url)
    }

    private func forget(_ job: PushQueue.Job) async {
        counts.gone.add()
        let subscription = job.message.subscription
        do throws(StoreError) {
            _ = try await store.removePushSubscription(
                subscription.id, of: subscription.owner, author: .server)
        } catch {
            // Safe: the next message to it finds out again.
            log.warning("push_not_forgotten", ["error": .text(error.description)])
        }
    }

    private func giveUp(_ job: PushQueue.Job, _ detail: String, status: Int?) {
        counts.failed.add()
        job.batch.note(job.message.key)
        log.warning(
            "push_failed",
            [
                "host": .text(job.address.host), "reason": .text(detail),
                "status": .number(status ?? 0), "attempts": .number(job.attempts + 1),
            ])
    }

    private func showWaiting() { counts.waiting.set(queue.withLock { $0.count }) }
}
