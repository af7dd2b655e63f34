import DeskAPI
import DeskCommandLine
import DeskModel
import DeskStore
import FoundationEssentials
import Glibc

/// Runs an administrative command: in the running server, or on the store when none runs.
enum AdminCommand {
    /// Largest file that holds a secret, in bytes.
    private static let secretFileBytes = 4_096

    static func run(_ command: CommandDescription, _ parsed: Parsed) async -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        var values = parsed
        for name in Parsed.storeFlags { values.values[name] = nil }
        // The server may run in another directory.
        values.arguments = values.arguments.map { command.takesPaths ? absolute($0) : $0 }
        let keys: EncryptionKeySource?
        let database: DatabaseAddress?
        do throws(UsageError) {
            database = try parsed.databaseAddress()
            keys = try parsed.encryptionKeys()
            try readSecret(into: &values)
        } catch {
            Output.complain(error)
            return 2
        }
        if command.name == Catalogue.backup.name {
            do throws(Installation.Failure) {
                try DatabaseFailure.requireNone(database)
            } catch {
                Output.complain(error.message, hint: error.hint)
                return 1
            }
        }
        do throws(LocalSocket.Failure) {
            let patience = command.takesPaths ? nil : LocalSocket.patienceSeconds
            if let result = try AdminSocket.ask(
                in: folder, command.name, values, database: database, patienceSeconds: patience)
            {
                Output.note("through the server that runs on \(folder)")
                return isOutOfSight(command, values, result) ? 1 : show(result)
            }
        } catch {
            Output.complain(
                "the running server cannot be asked: \(error)",
                hint: error.code == EACCES ? "ask as the user whose server it is" : nil)
            return 1
        }
        guard command.access != .server else {
            let missing = database.map { "no server on the database \($0.text)" } ?? "no server"
            Output.complain(
                "\(missing) runs on \(folder), and \(command.name) works through a running one alone",
                hint: "start it: frontdesk serve --data \(folder)")
            return 1
        }
        do throws(Installation.Failure) {
            let opened = try await CommandStore.open(parsed, keys: keys)
            let result = await AdminCommands(store: opened.store, time: .system)
                .run(command.name, values)
            await opened.close()
            Output.note("on \(opened.name)")
            return show(result)
        } catch {
            Output.complain(error.message, hint: error.hint)
            return 1
        }
    }

    /// Whether the server made a backup in a folder of its own that only has the same name; says so then.
    private static func isOutOfSight(
        _ command: CommandDescription, _ values: Parsed, _ result: AdminCommands.Result
    ) -> Bool {
        guard command.name == Catalogue.backup.name, result.code == 0,
            let path = values.arguments.first, unsafe access(path, F_OK) != 0, errno == ENOENT
        else { return false }
        Output.complain(
            "the server made the backup in a \(path) of its own, which goes when the server stops",
            hint:
                "with PrivateTmp= in its unit it has its own /tmp and /var/tmp: name another place")
        return true
    }

    /// Puts the secret that `--secret-file` names where `--secret` would be.
    ///
    /// It is read here: the server may not see the file, and standard input is this process's.
    static func readSecret(into values: inout Parsed) throws(UsageError) {
        guard let path = values["secret-file"] else { return }
        guard values["secret"] == nil else {
            throw UsageError("--secret and --secret-file both name a secret; give one of them")
        }
        let bytes = try FileText.read(path, upTo: secretFileBytes)
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        values.values["secret-file"] = nil
        values.values["secret"] = [text]
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func show(_ result: AdminCommands.Result) -> Int32 {
        if result.code == 0 { Output.print(result.text) } else { Output.complain(result.text) }
        return Int32(result.code)
    }
}

extension Epoch {
    /// A name for a life of the store that begins now.
    static func random() -> Epoch { Epoch(UInt64.random(in: 1...UInt64.max)) }
}
