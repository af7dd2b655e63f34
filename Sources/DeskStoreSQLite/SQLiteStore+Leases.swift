import DeskModel
import DeskSQL
public import DeskStore

/// One process at a time has the data directory, so that leases are kept in its memory.
extension SQLiteStore {
    /// The setting that counts the starts of the store in which a lease was acquired.
    private static let startsSetting = "starts"

    /// Those of this process who wait for a lease.
    public var leaseLine: LeaseLine { line }

    /// Acquires a lease that is free or whose life has ended; nil while another holds it.
    public func acquireLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> Lease? {
        if !leases.hasBegun { leases.begin(try await countStart()) }
        guard let (lease, isTakeover) = leases.acquire(name, life: life) else { return nil }
        guard isTakeover else { return lease }
        do {
            // What the holder before has queued is committed before this, or refused after it.
            try await write { _ in }
        } catch {
            leases.release(lease)
            throw error
        }
        return lease
    }

    /// Acquires a lease as `acquireLease` does, and says for how long another holds it.
    public func attemptLease(
        _ name: String, life: Duration
    ) async throws(StoreError) -> LeaseAttempt {
        guard let lease = try await acquireLease(name, life: life) else {
            return .held(for: leases.left(of: name))
        }
        return .acquired(lease)
    }

    /// Lets a lease live on; false when it was released or acquired by another since.
    public func renewLease(_ lease: Lease, life: Duration) async throws(StoreError) -> Bool {
        leases.renew(lease, life: life)
    }

    /// Gives a lease back, unless another acquired it since.
    public func releaseLease(_ lease: Lease) async throws(StoreError) { leases.release(lease) }

    /// Refuses what is written under a lease that was released or acquired by another since.
    public func requireCurrent(_ lease: Lease, on sql: any SQLSession) throws(StoreError) {
        guard leases.isCurrent(lease) else { throw StoreError(.superseded) }
    }

    private func countStart() async throws(StoreError) -> Int64 {
        let setting = ContentChange.setSetting(Self.startsSetting)
        return try await change(.contents(setting), author: .server) { sql throws(StoreError) in
            let before = try SettingNumber.read(
                SettingRows.find(Self.startsSetting, on: sql), of: Self.startsSetting,
                in: 0...(.max / 2))
            let start = (before ?? 0) + 1
            try SettingRows.set(Self.startsSetting, to: Array("\(start)".utf8), on: sql)
            return start
        }
    }
}
