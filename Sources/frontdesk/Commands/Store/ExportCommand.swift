import DeskAPI
import DeskCommandLine
import DeskModel
import DeskStore
import DeskStorePostgres
import Glibc

/// `frontdesk export`: writes one moment of all data as lines of JSON.
enum ExportCommand {
    static func run(_ parsed: Parsed) async -> Int32 {
        if parsed["as"] != nil { return await TableExport.run(parsed) }
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let path = parsed.arguments.first, parsed.arguments.count == 1 else {
            Output.complain("export takes one file, or -", hint: "see: frontdesk export --help")
            return 2
        }
        guard path != "-" else {
            return await run(in: folder, parsed, to: STDOUT_FILENO).map { text in
                Output.write(Array((text + "\n").utf8), to: .error)
            }.code
        }
        guard unsafe access(path, F_OK) != 0 else {
            Output.complain("\(path) is there already", hint: "name a file that is not")
            return 2
        }
        do throws(StoreError) {
            let file = try NewFile(at: path)
            defer { file.close() }
            let outcome = await run(in: folder, parsed, to: file.descriptor)
            guard case .done(let text) = outcome else {
                try file.discard()
                return outcome.code
            }
            try file.finish()
            Output.print("\(text)\nthe export is in \(path)")
            return 0
        } catch {
            Output.complain("\(path) cannot be written: \(error.detail)")
            return 1
        }
    }

    /// What became of an export; a failure was complained of.
    private enum Outcome {
        case done(String)
        case failed

        var code: Int32 {
            switch self {
            case .done: 0
            case .failed: 1
            }
        }

        func map(_ body: (String) -> Void) -> Outcome {
            if case .done(let text) = self { body(text) }
            return self
        }
    }

    private static func run(
        in folder: String, _ parsed: Parsed, to file: Int32
    ) async -> Outcome {
        let output: @Sendable ([UInt8]) -> Bool = { bytes in
            do throws(StoreError) {
                try FileCalls.write(bytes, to: file)
                return true
            } catch {
                return false
            }
        }
        let result: AdminCommands.Result
        do {
            if let answered = try AdminSocket.stream(
                in: folder, Catalogue.export.name, database: try parsed.databaseAddress(),
                to: output)
            {
                result = answered
                Output.note("through the server that runs on \(folder)")
            } else if let given = parsed["database"] {
                result = await read(
                    DatabaseAddress(given), try await parsed.objects(spool: folder), to: output)
                Output.note("on the database")
            } else {
                let opened = try await CommandStore.open(parsed, keys: parsed.encryptionKeys())
                result = await AdminCommands(store: opened.store, time: .system)
                    .export(opened.blobs, to: output)
                await opened.close()
                Output.note("on \(opened.name)")
            }
        } catch let error as Installation.Failure {
            Output.complain(error.message, hint: error.hint)
            return .failed
        } catch let error as StoreError {
            Output.complain(
                "the data in \(folder) cannot be read: \(StoreFailure.words(error))",
                hint: StoreFailure.hint(error))
            return .failed
        } catch {
            Output.complain("the data in \(folder) cannot be read: \(error)")
            return .failed
        }
        guard result.code == 0 else {
            Output.complain(result.text)
            return .failed
        }
        return .done(result.text)
    }

    /// Reads a database without being one of its nodes, so that a standby will do.
    private static func read(
        _ address: DatabaseAddress, _ objects: PostgresBlobs.Objects?,
        to output: @escaping @Sendable ([UInt8]) -> Bool
    ) async -> AdminCommands.Result {
        await AdminCommands.export(to: output) { begin, take throws(StoreError) in
            do throws(StoreError) {
                try await PostgresArchive.read(
                    database: address.text, objects: objects, at: TimeSource.system.now(),
                    begin: begin, take: take)
            } catch {
                guard error.code == .unavailable else { throw error }
                let failure = DatabaseFailure.reading(error, at: address)
                throw StoreError(
                    .unavailable,
                    failure.message + (failure.hint.map { "\n  \($0)" } ?? ""))
            }
        }
    }
}
