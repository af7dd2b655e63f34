public import DeskModel

/// The place of one process among those that run on a store, which all have one public URL.
///
/// A process holds one of the leases `node 1` to `node 64` for as long as it runs. A start under the
/// recorded URL acquires a free one. A start under another URL has to find all of them free: then no
/// process runs, and the URL is recorded. So addresses in messages, pages and links of one store never
/// differ by the process that answers.
public struct NodePlace: Sendable {
    /// The setting that records the URL.
    public static let setting = "public-url"
    /// Most processes that run on one store.
    static let maximum = 64

    /// What came of asking for a place.
    public enum Outcome: Sendable {
        /// The process may run; `former` is what was recorded before, where that was another URL.
        case granted(NodePlace, former: String?)
        /// Another process runs, under this URL.
        case refused(running: String)
        /// As many processes run as may.
        case full
    }

    private let store: any LeaseRegistry & SettingRegistry
    /// The lease that it began with.
    public let lease: Lease
    private let url: String

    /// Asks for a place under a URL, and records the URL when it is granted.
    ///
    /// Under another URL than the recorded one it waits for as long as the lease of a killed process
    /// lives, and is refused then. `time` is the machine's clock.
    public static func find(
        for url: String, in store: any LeaseRegistry & SettingRegistry, time: TimeSource = .system
    ) async throws(StoreError) -> Outcome {
        try await find(for: url, in: store, time: time, life: LeaseTimes.life)
    }

    /// Asks for a place that is held for another time than usual unless it is renewed.
    static func find(
        for url: String, in store: any LeaseRegistry & SettingRegistry, time: TimeSource,
        life: Duration
    ) async throws(StoreError) -> Outcome {
        let end = time.instant() + LeaseTimes.life + LeaseTimes.renewal
        while true {
            // One start at a time, so that none reads a URL that another is about to replace.
            let outcome = try await store.withLease("node begins") {
                () async -> Result<Outcome, StoreError> in
                do throws(StoreError) {
                    return .success(try await look(for: url, in: store, life: life))
                } catch {
                    return .failure(error)
                }
            }.get()
            guard case .refused = outcome, time.instant() < end else { return outcome }
            do { try await time.sleep(LeaseTimes.renewal) } catch { return outcome }
        }
    }

    /// Holds the place until the task is cancelled or the store is closed, and gives it back.
    ///
    /// A process that could not renew its lease has lost its place, and another may have started under
    /// another URL since: `replaced` is called with that URL, each time that the lease is acquired again.
    /// Otherwise `again` is called with the new lease, under which others know the process from then on.
    public func hold(
        again: @escaping @Sendable (Lease) async -> Void = { _ in },
        _ replaced: @escaping @Sendable (String) -> Void
    ) async {
        await LeaseHolder(of: store, named: lease.name).run(holding: lease) { [lease] current in
            // Safe: where the setting cannot be read, the next lease reads it.
            if let now = try? await Self.recorded(in: store), now != url { return replaced(now) }
            if current != lease { await again(current) }
            // Safe: it fails when the lease is lost or the process ends.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        }
    }

    /// Gives the place back.
    public func release() async throws(StoreError) { try await store.releaseLease(lease) }

    private static func look(
        for url: String, in store: any LeaseRegistry & SettingRegistry, life: Duration
    ) async throws(StoreError) -> Outcome {
        let former = try await recorded(in: store)
        var free: [Lease] = []
        var isAlone = true
        for number in 1...maximum {
            if let lease = try await store.acquireLease("node \(number)", life: life) {
                free.append(lease)
                if former == url { break }
            } else {
                isAlone = false
                if former != url { break }
            }
        }
        guard let place = free.first else {
            return former.map { $0 == url ? .full : .refused(running: $0) } ?? .full
        }
        if let former, former != url, !isAlone {
            for lease in free { try await store.releaseLease(lease) }
            return .refused(running: former)
        }
        if former != url {
            try await store.setSetting(setting, to: Array(url.utf8), author: .server)
        }
        for lease in free.dropFirst() { try await store.releaseLease(lease) }
        return .granted(
            NodePlace(store: store, lease: place, url: url), former: former == url ? nil : former)
    }

    private static func recorded(
        in store: any SettingRegistry
    ) async throws(StoreError) -> String? {
        try await store.findSetting(setting).map { String(decoding: $0, as: UTF8.self) }
    }
}
