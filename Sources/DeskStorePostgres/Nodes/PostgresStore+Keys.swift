import DeskModel
import DeskSQL
public import DeskStore

extension PostgresStore {
    /// Says at the place of this node which keys it has, and encrypts with the current one what others
    /// encrypt, once every node that runs has it.
    ///
    /// Order: of two nodes that could not read what the other encrypts, the one that comes later is
    /// refused. It waits for as long as a node that was killed seems to run.
    /// - Throws: `keyMissing` when a secret needs a key that this node lacks, `refused` with a sentence,
    ///   `superseded` when the place is lost.
    public func useKeys(at place: Lease) async throws(StoreError) {
        let end = ContinuousClock.now + LeaseTimes.life + LeaseTimes.renewal
        while true {
            do throws(StoreError) {
                return try await useKeysNow(at: place)
            } catch {
                // Or others had the rows of leases locked for too long.
                guard [.refused, .busy].contains(error.code), ContinuousClock.now < end else {
                    throw error
                }
            }
            do { try await Task.sleep(for: LeaseTimes.renewal) } catch {
                throw StoreError(.closed)
            }
            guard try await renewLease(place, life: LeaseTimes.life) else {
                throw StoreError(.superseded)
            }
        }
    }

    private func useKeysNow(at place: Lease) async throws(StoreError) {
        let keys = encryptionKeys
        let made: (RegistryChange, Author) = (.contents(.encryptSecrets(keys.current)), .server)
        _ = try await change(as: { (hasEncrypted: Bool) in hasEncrypted ? made : nil }) {
            sql throws(StoreError) -> Bool in
            try NodeKeys.use(keys, at: place, on: sql)
        }
    }
}
