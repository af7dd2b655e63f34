public import DeskBroker
import DeskLog
public import DeskModel
public import DeskStore
import DeskWeb

/// Gives back what those who left had and deletes what expired, in one process of those that share a store.
public final class Housekeeping: Sendable {
    /// Time between two rounds.
    static let pause = Duration.seconds(10)
    /// Rounds between two of which nothing is forgotten.
    static let rest = 60
    /// Days for which the audit keeps the record of a change; older ones are deleted.
    static let auditDays = 400
    /// Days for which a message that was refused when it was due waits for its author.
    static let unsentDays = 30
    /// Days for which a key's requests are shown.
    static let keyRequestDays = 30
    /// The lease of the process that does it.
    static let lease = "housekeeping"
    /// The setting that keeps the time until which everything that ends was known to have ended.
    static let setting = "clock"

    /// Forgets what others keep, at a time that can be believed.
    public typealias Forgetting = @Sendable (Timestamp) async throws(StoreError) -> Void

    private let services: Services
    private let outboxes: OutboxSettings
    private let watch: ClockWatch
    private let others: Forgetting

    /// Begins where the last run left off: what had ended then stays so, though the clock was set back.
    ///
    /// - Throws: when the store cannot be read.
    public init(
        services: Services, outboxes: OutboxSettings = OutboxSettings(),
        others: @escaping Forgetting = { _ in }
    ) async throws(StoreError) {
        self.services = services
        self.outboxes = outboxes
        self.others = others
        let kept = try await Self.keptTime(in: services.store)
        if let kept { services.time.raise(kept) }
        watch = ClockWatch(time: services.time, kept: kept)
    }

    /// The last millisecond of the year 9999, the latest time that can be written.
    private static let latestTime: Int64 = 253_402_300_799_999

    /// The time of an earlier run that was believed; nil when there is none.
    ///
    /// - Throws: `damaged` for what is no time.
    static func keptTime(in store: any Store) async throws(StoreError) -> Timestamp? {
        let kept = try await store.findSetting(Self.setting)
        return try SettingNumber.read(kept, of: Self.setting, in: 0...latestTime)
            .map { Timestamp(milliseconds: $0) }
    }

    /// Does its rounds whenever this process holds the lease, until it is cancelled.
    public func run() async {
        await LeaseHolder(of: services.store, named: Self.lease).run { _ in
            await self.doRounds()
        }
    }

    private func doRounds() async {
        var rounds = 0
        while !Task.isCancelled {
            do {
                try await services.broker.giveBackAbandoned(
                    handling: services.handlingRoles)
                if rounds % Self.rest == 0 { try await forget() } else { _ = watch.look() }
            } catch {
                services.log.warning("housekeeping_failed", ["reason": .text("\(error)")])
            }
            rounds += 1
            // Safe: the loop asks for cancellation.
            try? await services.time.sleep(Self.pause)
        }
    }

    /// Does the last round of a server that ends, unless another process does its rounds.
    public func finish() async throws(StoreError) {
        let result = try await services.store.withFreeLease(Self.lease) {
            () async -> Result<Void, StoreError> in
            do throws(StoreError) {
                return .success(try await forget())
            } catch {
                return .failure(error)
            }
        }
        try result?.get()
    }

    /// Deletes what expired and stores the time; nothing while the clock cannot be believed.
    func forget() async throws(StoreError) {
        guard let now = watch.look() else {
            return services.log.warning("clock_jumped")
        }
        let store = services.store
        try await store.pruneSessions(before: now)
        try await store.prunePushSubscriptions(at: now)
        try await store.pruneDevices(
            before: now.advanced(by: .seconds(-services.limits.web.deviceDays * 86_400)))
        try await store.pruneInvitations(before: now)
        try await store.pruneJoinCodes(before: now.advanced(by: .seconds(-3_600)))
        try await store.pruneUsedCodes(before: now)
        try await store.pruneDrafts(
            before: now.advanced(by: .seconds(-services.limits.draftDays * 86_400)))
        try await store.pruneSuggestions(
            before: now.advanced(by: .seconds(-Suggestion.daysKept * 86_400)))
        try await store.pruneAnswers(
            before: now.advanced(by: .seconds(-services.limits.idempotencyHours * 3_600)))
        try await store.pruneDeliveries(
            deliveredBefore: now.advanced(by: .zero - outboxes.keepsDelivered),
            deadBefore: now.advanced(by: .zero - outboxes.keepsDead))
        try await store.pruneDueWork(
            dueBefore: now.advanced(by: .seconds(-Self.unsentDays * 86_400)))
        try await store.pruneAudit(before: now.advanced(by: .seconds(-Self.auditDays * 86_400)))
        try await store.pruneApprovals(
            before: now.advanced(by: .seconds(-Self.auditDays * 86_400)))
        try await store.pruneKeyRequests(
            before: now.advanced(by: .seconds(-Self.keyRequestDays * 86_400)))
        try await others(now)
        try await store.setSetting(
            Self.setting, to: Array("\(now.milliseconds)".utf8), author: .server)
    }
}
