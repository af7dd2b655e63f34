import DeskModel
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite
import FoundationEssentials
import PostgresSupport
import StoreSupport
import TestSupport

/// Where a store is, or may be made: a directory, or a schema of a database without tables.
struct ArchivePlace {
    /// The engines, by name.
    enum Engine: Sendable {
        case inFile
        case inPostgreSQL

        static let all = TestedEngines.chosen([Engine.inFile], [.inPostgreSQL])
    }

    /// From which engine to which an archive goes.
    struct Way: Sendable {
        let from: Engine
        let to: Engine

        var hasPostgreSQL: Bool { from == .inPostgreSQL || to == .inPostgreSQL }

        static let all = TestedEngines.chosen(
            [Way(from: .inFile, to: .inFile)],
            [
                Way(from: .inPostgreSQL, to: .inPostgreSQL), Way(from: .inFile, to: .inPostgreSQL),
                Way(from: .inPostgreSQL, to: .inFile),
            ])
    }

    /// A store that is open, and its attachments.
    struct Opened: Sendable {
        let store: any Store & Maintenance
        let blobs: any BlobStore
        let close: @Sendable () async -> Void
    }

    /// A directory that belongs to the place, whatever its engine.
    let directory: String
    /// Nil for a store in the directory.
    let address: String?
    private let keys = EncryptionKeys.random()

    /// Lends places of engines.
    static func with(
        _ engines: Engine..., body: ([ArchivePlace]) async throws -> Void
    ) async throws {
        try await FilledStore.withScratch { scratch in
            let directories = engines.indices.map { "\(scratch)/\($0)" }
            let count = engines.count { $0 == .inPostgreSQL }
            guard count > 0 else {
                return try await body(
                    directories.map { ArchivePlace(directory: $0, address: nil) })
            }
            try await PostgresSchema.with(count) { addresses in
                var left = addresses[...]
                try await body(
                    zip(engines, directories).map { engine, directory in
                        ArchivePlace(
                            directory: directory,
                            address: engine == .inPostgreSQL ? left.popFirst() : nil)
                    })
            }
        }
    }

    private init(directory: String, address: String?) {
        self.directory = directory
        self.address = address
    }

    private func options(_ address: String) -> PostgresRegistries.Options {
        PostgresRegistries.Options(address: address, keys: keys)
    }

    /// Opens the store, which begins its life with that epoch when it is new.
    func open(_ epoch: UInt64 = 9) async throws -> Opened {
        guard let address else {
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(epoch))
            return Opened(
                store: store, blobs: try DirectoryBlobStore(directory: directory + "/blobs")
            ) { await store.close() }
        }
        let store = try await PostgresStore(options(address), newEpoch: Epoch(epoch))
        let blobs = PostgresBlobs(options(address))
        return Opened(store: store, blobs: blobs) {
            await blobs.close()
            await store.close()
        }
    }

    /// Makes a store with something of everything, and leaves it open.
    func fill(messages: Int = 70, note: String = "折り返し電話") async throws -> Opened {
        let opened = try await open(1)
        try await FilledStore.fill(opened.store, opened.blobs, messages: messages, note: note)
        return opened
    }

    /// Begins to make a store of an archive.
    func begin(_ head: ArchiveHead) throws(StoreError) -> any ArchiveTarget {
        guard let address else {
            return try ArchiveImport(head, into: directory, newEpoch: Epoch(7))
        }
        return try PostgresImport(
            head, into: address, keys: keys, newEpoch: Epoch(7), mustBeDurable: false)
    }

    /// Reads everything.
    func verify() async throws(StoreError) -> StoreVerification {
        guard let address else { return try StoreVerification(reading: directory) }
        return try await StoreVerification(readingDatabase: address)
    }

    /// Whether nothing is there, not even the beginning of a store.
    var isEmpty: Bool {
        get throws {
            guard let address else { return !FileManager.default.fileExists(atPath: directory) }
            return try !PostgresImport.hasStore(at: address)
        }
    }
}
