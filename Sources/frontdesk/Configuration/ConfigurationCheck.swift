import DeskCommandLine
import DeskLint
import DeskModel
import DeskNet
import DeskStore
import DeskStorePostgres
import DeskWeb
import FoundationEssentials
import Glibc

/// `frontdesk serve --check`: reads a configuration as a start does, and says what would keep it from starting.
///
/// Nothing is written or made. The store is not opened; no database, bucket or model is asked.
struct ConfigurationCheck {
    /// A line of the outcome.
    struct Remark: Equatable {
        /// Whether it keeps a server from starting; what does not is a note.
        let isFinding: Bool
        let message: String
        /// What to do.
        let hint: String?

        /// The whole line.
        var line: String {
            let text = hint.map { "\(message) (\($0))" } ?? message
            return isFinding ? text : "note: \(text)"
        }

        static func finding(_ message: String, hint: String? = nil) -> Remark {
            Remark(isFinding: true, message: message, hint: hint)
        }

        static func note(_ message: String, hint: String? = nil) -> Remark {
            Remark(isFinding: false, message: message, hint: hint)
        }
    }

    let parsed: Parsed
    let executable: String

    /// Checks a command line, prints the outcome; the exit code is 0, or 2 when there is a finding.
    static func run(_ parsed: Parsed, executable: String) -> Int32 {
        let remarks = ConfigurationCheck(parsed: parsed, executable: executable).remarks()
        for remark in remarks { Output.complain(remark.line) }
        guard !remarks.contains(where: \.isFinding) else { return 2 }
        Output.print("The configuration is fine.")
        return 0
    }

    /// Everything that is to be said, each thing once.
    func remarks() -> [Remark] {
        let all =
            commandLine() + folders() + dataDirectory() + encryptionKeys() + database() + files()
            + certificate() + portFile() + listening() + proxies()
        var kept: [Remark] = []
        for remark in all where !kept.contains(remark) { kept.append(remark) }
        return kept
    }

    private var data: String { parsed["data"] ?? ServeConfiguration.defaultData }

    private var isOnDatabase: Bool { parsed["database"] != nil }

    /// What a step of a start throws, in the words of a start.
    private func attempt(_ step: () throws -> Void) -> [Remark] {
        do {
            try step()
            return []
        } catch let error as UsageError {
            return [.finding(error.message, hint: error.hint)]
        } catch let error as Installation.Failure {
            return [.finding(error.message, hint: error.hint)]
        } catch {
            return [.finding("\(error)")]
        }
    }

    private func commandLine() -> [Remark] {
        let errors = ServeConfiguration.errors(in: parsed)
        guard errors.isEmpty else {
            return errors.map { Remark.finding($0.message, hint: $0.hint) }
        }
        return attempt {
            let configuration = try ServeConfiguration(parsed)
            // Port 0 has another number at each start, and any number makes an address.
            _ = try Installation.publicURL(
                of: configuration, port: max(1, configuration.listen.port))
        }
    }

    private func folders() -> [Remark] {
        attempt {
            let folders = try ShareFolders.find(
                web: parsed["web"], schemas: parsed["schemas"], executable: executable)
            _ = try folders.read()
            _ = try SchemaFolder(folders.schemas, executable: executable).makeRulebook()
        }
    }

    private func dataDirectory() -> [Remark] {
        let unusable = attempt { try DataFolder.requireUsable(data) }
        guard unusable.isEmpty else { return unusable }
        guard ShareFolders.isFolder(data) else {
            return [.note("the data directory \(data) is not there; a start makes it")]
        }
        var found: [Remark] = []
        if DataFolder.isOpenToEverybody(data) {
            found.append(
                .note(
                    "everybody on this machine may look into the data directory \(data)",
                    hint: "chmod 700 it"))
        }
        // With a database nothing else of the directory is used.
        guard !isOnDatabase else { return found }
        found += attempt { try DataFolder.requireHome(data) }
        found += attempt {
            try DataFolder.requireFilled(data)
            try DataFolder.requireDatabase(besideBlobs: data)
        }
        found += DataFolder.obstacles(in: data).map { obstacle in
            Remark.finding(
                "\(obstacle.path) cannot be read and written: \(obstacle.reason)",
                hint: "give it to the user whose server it is, and check as that user")
        }
        return found
    }

    private func encryptionKeys() -> [Remark] {
        let source: EncryptionKeySource
        do throws(UsageError) {
            source = try parsed.encryptionKeys() ?? .file(EncryptionKeyFile(in: data))
        } catch {
            // Named with the command line.
            return []
        }
        // Named as what stands in the way of the directory.
        if source == .file(EncryptionKeyFile(in: data)), !ShareFolders.isFolder(data) { return [] }
        do throws(StoreError) {
            guard try source.read() == nil else { return [] }
        } catch {
            if isCredentialOfRunningServer(source) {
                return [
                    .note(
                        "\(source.name) is a credential, which systemd lets the service read when it starts",
                        hint: "the server that runs on \(data) has read it")
                ]
            }
            let isRefused = error.code == .refused
            let reason = isRefused ? error.detail : "\(source.name): \(error.detail)"
            return [
                .finding(
                    isOnDatabase ? reason : "the data in \(data) cannot be opened: \(reason)")
            ]
        }
        if isOnDatabase || DataFolder.hasStore(data) {
            return [
                .note(
                    "the file of keys \(source.name) is missing; a start makes one only while nothing "
                        + "is encrypted")
            ]
        }
        guard let path = parsed["encryption-key-file"] else { return [] }
        guard let reason = unwritable(beside: path) else { return [] }
        return [.finding("the file of keys \(path) cannot be made: \(reason)")]
    }

    /// Whether systemd gave the keys to the server that runs on the data directory: what it runs to reload the service may
    /// not read them (seen with systemd 252).
    private func isCredentialOfRunningServer(_ source: EncryptionKeySource) -> Bool {
        guard case .file(let file) = source,
            let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        else { return false }
        return file.path.hasPrefix(folder + "/")
            && DataFolder.obstacle(to: R_OK, at: file.path)?.number == EACCES
            && answerOfRunningServer() != nil
    }

    /// Whether libpq is there and reads the address; no database is asked.
    private func database() -> [Remark] {
        guard let given = parsed["database"] else { return [] }
        let address = DatabaseAddress(given)
        do throws(StoreError) {
            try PostgresNode.require(address: address.text)
            return []
        } catch {
            let failure = DatabaseFailure.failure(error, at: address)
            return [.finding(failure.message, hint: failure.hint)]
        }
    }

    /// The files with the password for the database and the key for the bucket.
    private func files() -> [Remark] {
        attempt { try parsed.useDatabasePassword() }
            + attempt { _ = try parsed.blobsLocation(of: parsed["database"])?.credentials() }
    }

    private func certificate() -> [Remark] {
        guard let chain = parsed["tls-cert"], let key = parsed["tls-key"] else { return [] }
        var notes: [Remark] = []
        let faults = attempt {
            let files = CertificateFiles(chain: chain, key: key)
            let remark = files.remark(on: try files.context(), at: TimeSource.system.now())
            notes = remark.map { [.note($0, hint: "renew it")] } ?? []
        }
        return faults + notes
    }

    /// A range of every address: who reaches the server without the proxy claims any address.
    private func proxies() -> [Remark] {
        (parsed.values["trusted-proxy"] ?? []).filter { $0.hasSuffix("/0") }.map { range in
            .note(
                "--trusted-proxy \(range) believes everybody the address that they claim",
                hint: "name the proxy's own, unless nothing but the proxy reaches the server")
        }
    }

    private func portFile() -> [Remark] {
        guard let path = parsed["port-file"] else { return [] }
        let folder = ShareFolders.isFolder(path) ? "it is a folder" : nil
        guard let reason = folder ?? unwritable(beside: path) else { return [] }
        return [.finding("the port cannot be written to \(path)", hint: reason)]
    }

    /// Why no file can be made beside a path; nil when one can.
    private func unwritable(beside path: String) -> String? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return DataFolder.obstacle(to: W_OK | X_OK, at: folder).map { "\(folder): \($0.reason)" }
    }
}

// MARK: Listening

extension ConfigurationCheck {
    private func listening() -> [Remark] {
        let address: Address
        do throws(UsageError) {
            address = try ServeConfiguration.address(parsed["listen"])
        } catch {
            // Named with the command line.
            return []
        }
        guard let port = UInt16(exactly: address.port) else { return [] }
        do throws(NetError) {
            try ListenAddress(host: address.host, port: port).requireFree()
            return []
        } catch {
            // For a port below 1024 the missing right is found before the server that has it.
            if [EADDRINUSE, EACCES].contains(error.number), isOfRunningServer(address) {
                let text = "\(address.hostInURL):\(port)"
                return [.note("\(text) is in use by the server that runs on \(data)")]
            }
            let failure = ListenFailure.failure(error, at: address)
            return [.finding(failure.message, hint: failure.hint)]
        }
    }

    /// Whether the server that runs on the data directory is the one that listens there.
    private func isOfRunningServer(_ address: Address) -> Bool {
        guard let answer = answerOfRunningServer() else { return false }
        // A server of before does not say where it listens; that it is there is what can be known.
        guard answer.code == 0, let own = Address(answer.text) else { return true }
        return own.overlaps(address)
    }

    /// What the server that runs on the data directory says when it is asked where it listens; nil where none runs.
    private func answerOfRunningServer() -> AdminCommands.Result? {
        do throws(LocalSocket.Failure) {
            let answer = try AdminSocket.ask(in: data, Catalogue.serve.name, Parsed())
            return answer == AdminSocket.noAnswer ? nil : answer
        } catch {
            // Another user's server: this one's configuration cannot be it.
            return nil
        }
    }
}
