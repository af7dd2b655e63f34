import DeskModel
import DeskSQL
public import DeskStore

extension StoreVerification {
    /// Reads everything in a database; nodes may use it meanwhile, and a standby will do.
    ///
    /// Each step is a short transaction, so that no old snapshot is kept. `objects` has the attachments that are not
    /// in the database. Nothing of the data is changed.
    /// - Throws: `refused` when the database has none of our tables, `tooNew` for another schema, `unavailable`
    ///   when it cannot be reached, `failed`.
    public init(
        readingDatabase address: String, objects: PostgresBlobs.Objects? = nil
    ) async throws(StoreError) {
        // Nothing is encrypted or decrypted on the way.
        let options = PostgresRegistries.Options(address: address, keys: .random())
        let blobs = PostgresBlobs(options, objects: objects, threads: 1)
        let watch = PostgresWatch(options, blobs)
        let answer: Result<StoreVerification, StoreError>
        do throws(StoreError) {
            try await watch.run { sql throws(StoreError) in
                try PostgresTables.requireReadable(on: sql)
            }
            try await blobs.requireObjects()
            answer = .success(try await Self.read(by: watch))
        } catch {
            answer = .failure(error)
        }
        await watch.close()
        await blobs.close()
        self = try answer.get()
    }

    private static func read(by watch: PostgresWatch) async throws(StoreError) -> StoreVerification
    {
        var counts = InspectionCounts()
        var damage: [Damage] = []
        var secrets: [EncryptionKeyID: Int] = [:]
        do throws(StoreError) {
            var isDone = false
            while !isDone {
                let step = try await watch.step()
                damage += step.found.prefix(max(0, maximumFindings - damage.count))
                counts = step.counts
                isDone = step.isDone
            }
            secrets = try await watch.run { sql throws(StoreError) in try Secrets.count(on: sql) }
        } catch {
            guard
                [.damaged, .refused].contains(error.code) || PostgresState.hasRefusedOne(error)
            else { throw error }
            counts.damaged += 1
            damage.append(
                Damage("file", name: watch.name, reason: "cannot be read: \(error.detail)"))
        }
        var found = StoreVerification(counts: counts, damage: damage, isStill: watch.isStill)
        found.secrets = secrets
        return found
    }
}
