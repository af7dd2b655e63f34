import DeskCommandLine
import DeskStore
import DeskStorePostgres

/// The secrets of a database, on which no node may run meanwhile: each has its keys in memory.
extension SecretsCommand {
    static func rotate(in address: DatabaseAddress, _ parsed: Parsed) async -> Int32 {
        await run(
            in: address, parsed,
            instead: "stop every node first; to rotate while they run, see docs/operations.md, "
                + "The encryption key"
        ) { source throws(StoreError) in
            let secrets = try await DatabaseSecrets(at: address.text)
            let keys = try source.keys(needed: secrets.needed)
            guard case .file(let file) = source else {
                try await secrets.encryptAll(with: keys) {}
                return """
                    The key \(keys.current) encrypts every secret now: the first of those that were given.
                    Give every node the same keys before you start it.
                    """
            }
            // Where nothing needs the first key, an earlier rotation did not come to its end.
            let isBegun = !secrets.needed.isEmpty && !secrets.needed.contains(keys.current)
            guard let rotated = isBegun ? keys : keys.rotated() else {
                throw tooMany(keys, in: file)
            }
            // In the file first: whatever comes after, each secret's key is there.
            try await secrets.encryptAll(with: rotated) { () throws(StoreError) in
                try file.write(rotated)
            }
            return """
                \(rotationText(of: rotated, in: file))
                Copy the file to every node before you start it, and to where its copies are kept. A \
                key's line may go when no backup needs it.
                """
        }
    }

    static func forget(in address: DatabaseAddress, _ parsed: Parsed) async -> Int32 {
        await run(in: address, parsed, instead: "stop every node first") {
            source throws(StoreError) in
            let secrets = try await DatabaseSecrets(at: address.text)
            // A file that is missing is made.
            let keys = try source.keys(needed: [])
            let links = try await secrets.forgetAll(but: keys)
            return """
                \(forgottenText(links))
                Every node needs \(source.name) from now on: copy it before you start them.
                """
        }
    }

    private static func run(
        in address: DatabaseAddress, _ parsed: Parsed, instead: String,
        _ body: (EncryptionKeySource) async throws(StoreError) -> String
    ) async -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let source = keySource(of: parsed, in: folder) else { return 2 }
        do throws(StoreError) {
            Output.print(try await body(source))
            Output.note("on the database; no node runs on it")
            return 0
        } catch {
            switch error.code {
            case .busy:
                Output.complain("nothing was changed: \(StoreFailure.words(error))", hint: instead)
            case .unknown:
                Output.complain(
                    "the connection broke while the change was committed",
                    hint: "frontdesk secrets list says which key encrypts what")
            case .full, .failed, .unavailable, .closed, .damaged, .keyMissing, .tooNew, .overloaded,
                .refused, .superseded:
                let failure = DatabaseFailure.failure(error, at: address)
                Output.complain(
                    "nothing in the database was changed: \(failure.message)", hint: failure.hint)
            }
            return 1
        }
    }
}
