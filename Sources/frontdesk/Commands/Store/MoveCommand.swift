import DeskAPI
import DeskCommandLine
import DeskModel
import DeskSQL
import DeskStore
import DeskStorePostgres
import DeskStoreSQLite

/// `frontdesk move`: moves all data from a directory into a database, or back.
enum MoveCommand {
    /// The exit code is 0 when everything is there and verified, 1 when it is not, 2 for what was not asked
    /// well.
    static func run(_ parsed: Parsed) async -> Int32 {
        guard parsed.arguments.isEmpty, let to = parsed["to"], !to.isEmpty else {
            Output.complain(
                "move takes no arguments, and needs --to",
                hint: "frontdesk move --to postgresql://user@host/name, or --database … --to DIR")
            return 2
        }
        do {
            let keys = try parsed.encryptionKeys()
            let folder = parsed["data"] ?? ServeConfiguration.defaultData
            let acceptsDamage = parsed.claim("accept-damage") == true
            switch (parsed["database"], DatabaseAddress.isDatabase(to)) {
            case (nil, true):
                return try await move(
                    folder, keys, into: DatabaseAddress(to),
                    objects: parsed.objects(spool: folder, database: to),
                    acceptsDamage: acceptsDamage)
            case (let address?, false):
                return try await move(
                    DatabaseAddress(address), keysIn: keys == nil ? folder : nil,
                    objects: parsed.objects(spool: folder), into: to, acceptsDamage: acceptsDamage)
            case (nil, false):
                Output.complain(
                    "both are directories: to copy one into another, frontdesk backup and restore",
                    hint: "a database is named as postgresql://user@host/name")
                return 2
            case (.some, true):
                Output.complain(
                    "both are databases: copy one to another with PostgreSQL's own pg_dump or pg_basebackup"
                )
                return 2
            }
        } catch let error as UsageError {
            Output.complain(error)
            return 2
        } catch let error as Installation.Failure {
            Output.complain("nothing was moved: \(error.message)", hint: error.hint)
            return 1
        } catch let error as StoreError {
            Output.complain("stopped: \(StoreFailure.words(error))", hint: hint(after: error))
            return 1
        } catch {
            Output.complain("stopped: \(error)", hint: hint(after: error))
            return 1
        }
    }

    /// What helps: the command goes on where it was interrupted, not where it met what it refuses.
    private static func hint(after error: any Error) -> String? {
        switch (error as? StoreError)?.code {
        case .refused?, .tooNew?, .keyMissing?: nil
        case .damaged?:
            "frontdesk verify names everything that is damaged; --accept-damage moves the rest"
        default: "the same command goes on from here"
        }
    }

    /// The day in UTC, as 2027-01-31.
    private static var today: String { String(TimeSource.system.now().text.prefix(10)) }

    // MARK: Into a database

    private static func move(
        _ folder: String, _ keys: EncryptionKeySource?, into address: DatabaseAddress,
        objects: PostgresBlobs.Objects?, acceptsDamage: Bool
    ) async throws -> Int32 {
        try DataFolder.requireStore(folder, hint: "name the directory with --data")
        try DataFolder.requireHome(folder)
        let source: SQLiteMoveSource
        do throws(StoreError) {
            source = try await SQLiteMoveSource(
                directory: folder, keys: keys, newEpoch: .random())
        } catch {
            guard error.code != .busy else {
                throw Installation.Failure(
                    "a server or another command works on \(folder)", hint: "end it first")
            }
            throw StoreFailure.opening(error, folder)
        }
        let target: PostgresMoveTarget
        do throws(StoreError) {
            target = try PostgresMoveTarget(address: address.text)
        } catch {
            throw DatabaseFailure.failure(error, at: address)
        }
        try verify(source, acceptsDamage: acceptsDamage)
        // Nothing is encrypted or decrypted on the way.
        let blobs = PostgresBlobs(
            PostgresRegistries.Options(address: address.text, keys: .random()), objects: objects)
        let from = try DirectoryBlobStore(directory: folder + "/blobs")
        let work = MoveWork(from: source, to: target)
        do {
            try await work.run(attachments: from, blobs)
        } catch {
            await blobs.close()
            throw error
        }
        await blobs.close()
        try source.note(MoveNote(place: "the database \(address.text)", day: today))
        work.report(
            serve: "frontdesk serve --data \(folder) --database \(address.text)",
            more: "\(folder) has the keys and certificates still; its data is served no more")
        return 0
    }

    /// Reads the directory through first: a database has no place for rows that contradict each other.
    private static func verify(
        _ source: SQLiteMoveSource, acceptsDamage: Bool
    ) throws {
        let begin = ContinuousClock.now
        let found = try source.verify()
        Output.print(VerifyCommand.text(of: found, after: begin.duration(to: .now)))
        guard found.isClean || acceptsDamage else {
            throw Installation.Failure(
                "\(found.counts.damaged) of what it has are damaged, as named above",
                hint: "restore a backup, or move it as it is with --accept-damage")
        }
    }

    // MARK: Into a directory

    private static func move(
        _ address: DatabaseAddress, keysIn folder: String?, objects: PostgresBlobs.Objects?,
        into to: String, acceptsDamage: Bool
    ) async throws -> Int32 {
        let source: PostgresMoveSource
        do throws(StoreError) {
            source = try await PostgresMoveSource(address: address.text)
        } catch {
            guard error.code != .busy else {
                throw Installation.Failure(
                    "the database is served: \(error.detail)", hint: "stop every node first")
            }
            throw DatabaseFailure.failure(error, at: address)
        }
        let target: SQLiteMoveTarget
        do throws(StoreError) {
            target = try SQLiteMoveTarget(directory: to, acceptsDamage: acceptsDamage)
            if let folder, let keys = try EncryptionKeyFile(in: folder).read() {
                try EncryptionKeyFile(in: to).write(keys)
            }
        } catch {
            throw Installation.Failure("\(to) cannot be filled: \(StoreFailure.words(error))")
        }
        let blobs = PostgresBlobs(
            PostgresRegistries.Options(address: address.text, keys: .random()), objects: objects)
        let work = MoveWork(from: source, to: target)
        do {
            try await blobs.requireObjects()
            try await work.run(attachments: blobs, DirectoryBlobStore(directory: target.blobs))
        } catch {
            await blobs.close()
            throw error
        }
        await blobs.close()
        try source.note(MoveNote(place: "the directory \(to)", day: today))
        if let found = target.verification {
            Output.print(VerifyCommand.text(of: found, after: work.time))
        }
        work.report(
            serve: "frontdesk serve --data \(to)",
            more: folder == nil
                ? "it needs the keys that the nodes were given"
                : "\(to) has the keys; certificates stay where they are")
        return 0
    }
}
