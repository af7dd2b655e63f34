import DeskCommandLine
import DeskStore
import DeskStorePostgres
import Glibc

/// `frontdesk verify`: reads a data directory, a backup or a database through.
enum VerifyCommand {
    /// The exit code is 0 when all is whole, 1 when something is damaged, 2 when nothing can be read.
    static func run(_ parsed: Parsed) async -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard parsed.arguments.isEmpty else {
            Output.complain("verify takes no arguments", hint: "name the directory with --data")
            return 2
        }
        if let given = parsed["database"] {
            return await read(DatabaseAddress(given), parsed, keysIn: folder)
        }
        do throws(Installation.Failure) {
            try DataFolder.requireStore(
                folder, hint: "name the directory with --data, or the database with --database")
        } catch {
            Output.complain(error.message, hint: error.hint)
            return 2
        }
        let begin = ContinuousClock.now
        do throws(StoreError) {
            let found = try DataFolder.verify(folder)
            Output.print(text(of: found, after: begin.duration(to: .now)))
            if let line = keyLine(of: found, in: folder) { Output.print(line) }
            return found.isClean ? 0 : 1
        } catch {
            Output.complain(
                "the data in \(folder) cannot be read: \(StoreFailure.words(error))",
                hint: error.code == .failed ? StoreFailure.hint(error) : nil)
            return 2
        }
    }

    private static func read(
        _ address: DatabaseAddress, _ parsed: Parsed, keysIn folder: String
    ) async -> Int32 {
        let begin = ContinuousClock.now
        do {
            let found = try await StoreVerification(
                readingDatabase: address.text, objects: try await parsed.objects(spool: folder))
            Output.print(text(of: found, after: begin.duration(to: .now)))
            // The keys of nodes on other machines are not here to be looked at.
            let isHere = unsafe access(EncryptionKeyFile(in: folder).path, F_OK) == 0
            if isHere, let line = keyLine(of: found, in: folder) { Output.print(line) }
            return found.isClean ? 0 : 1
        } catch let error as StoreError {
            let failure = DatabaseFailure.reading(error, at: address)
            Output.complain(failure.message, hint: failure.hint)
            return 2
        } catch let error as UsageError {
            Output.complain(error)
            return 2
        } catch let error as Installation.Failure {
            Output.complain(error.message, hint: error.hint)
            return 2
        } catch {
            Output.complain("the attachments cannot be read: \(error)")
            return 2
        }
    }

    /// Whether the file of keys in a directory decrypts the secrets that were found.
    static func keyLine(of found: StoreVerification, in folder: String) -> String? {
        guard !found.secrets.isEmpty else { return nil }
        let file = EncryptionKeyFile(in: folder)
        let known: [EncryptionKeyID]
        do throws(StoreError) {
            known = try file.read()?.ids ?? []
        } catch {
            return error.detail
        }
        let missing = found.secrets.keys.filter { !known.contains($0) }.map(\.text).sorted()
        return missing.isEmpty
            ? "\(file.path) has every key"
            : "\(file.path) has no key \(missing.joined(separator: ", ")): no start works without, "
                + "there or named by --encryption-key-file"
    }

    /// What was found and read, a line each.
    static func text(of found: StoreVerification, after time: Duration) -> String {
        var lines = found.damage.map { "damaged: \($0)" }
        let more = found.counts.damaged - found.damage.count
        if more > 0 { lines.append("damaged: \(more) more") }
        let counts = found.counts
        lines.append(
            "read \(counts.messages) messages, \(counts.events) events, "
                + "\(counts.conversations) conversations, \(counts.notes) notes, "
                + "\(counts.answers) answers, "
                + "\(counts.attachments) attachments")
        let seconds = max(time / .milliseconds(1), 1) / 1_000
        let megabytes = Double(counts.bytes) / 1_000_000
        lines.append(
            "in \(rounded(seconds)) s: \(Int(Double(counts.all) / seconds)) things/s, "
                + "\(rounded(megabytes / seconds)) MB/s of payloads and files")
        for (id, count) in found.secrets.sorted(by: { $0.key.text < $1.key.text }) {
            lines.append(
                "\(count) \(count == 1 ? "secret is" : "secrets are") encrypted with the key \(id); "
                    + "keep it apart: no backup has it"
            )
        }
        if !found.isStill { lines.append("a server runs: what came meanwhile was not read") }
        lines.append(counts.damaged == 0 ? "all is whole" : "\(counts.damaged) damaged")
        return lines.joined(separator: "\n")
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
