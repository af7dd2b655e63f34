import DeskCommandLine
import DeskModel
import DeskStore

/// `frontdesk secrets rotate` and `frontdesk secrets forget`: what no server may run beside.
enum SecretsCommand {
    static func rotate(_ parsed: Parsed) async -> Int32 {
        if let given = parsed["database"] {
            return await rotate(in: DatabaseAddress(given), parsed)
        }
        return await run(parsed) { folder, source throws(StoreError) in
            guard case .file(let file) = source else {
                throw StoreError(
                    .refused,
                    "the keys are given by the environment: put a new one first there, "
                        + "leave the others behind it, and start the server")
            }
            let store = try DataFolder.open(folder, keys: source)
            // Nothing was checked against the file if the store had nothing to decrypt.
            let keys = try source.keys(needed: [])
            guard let rotated = keys.rotated() else {
                await store.close()
                throw tooMany(keys, in: file)
            }
            do throws(StoreError) {
                // In the file first: whatever comes after, each secret's key is there.
                try file.write(rotated)
                try await store.encryptAllSecrets(with: rotated)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
            return """
                \(rotationText(of: rotated, in: file))
                Copy the file to where its copies are kept. A key's line may go when no backup needs it.
                """
        }
    }

    static func forget(_ parsed: Parsed) async -> Int32 {
        if let given = parsed["database"] {
            return await forget(in: DatabaseAddress(given), parsed)
        }
        return await run(parsed) { folder, source throws(StoreError) in
            let links = Set(try DataFolder.forgetSecrets(folder, keys: source))
            let store = try DataFolder.open(folder, keys: source)
            let left: [GatewayLink]
            do throws(StoreError) {
                left = try await store.gatewayLinks()
            } catch {
                await store.close()
                throw error
            }
            await store.close()
            return forgottenText(left.filter { links.contains($0.id) })
        }
    }

    // MARK: Words

    /// Why a file gets no further key.
    static func tooMany(_ keys: EncryptionKeys, in file: EncryptionKeyFile) -> StoreError {
        StoreError(
            .refused,
            "\(file.path) has \(keys.ids.count) keys, as many as there may be: "
                + "delete those that encrypt nothing")
    }

    /// What a rotation has done.
    static func rotationText(of rotated: EncryptionKeys, in file: EncryptionKeyFile) -> String {
        "The key \(rotated.current) encrypts every secret now. It is in \(file.path), before "
            + rotated.ids.dropFirst().map(\.text).joined(separator: ", ") + "."
    }

    /// What has to be done after secrets of these links were given up.
    static func forgottenText(_ links: [GatewayLink]) -> String {
        let needs = links.map { ImportCommand.need(of: $0) }
        return (["What the lost keys encrypted is given up."] + needs).joined(separator: "\n")
    }

    // MARK: Parts

    /// Where the keys are: as the command line says, or in the file of a data directory; nil where what
    /// the command line says of them is wrong, which is printed.
    static func keySource(of parsed: Parsed, in folder: String) -> EncryptionKeySource? {
        do throws(UsageError) {
            return try parsed.encryptionKeys() ?? .file(EncryptionKeyFile(in: folder))
        } catch {
            Output.complain(error)
            return nil
        }
    }

    // MARK: A data directory

    private static func run(
        _ parsed: Parsed,
        _ body: (String, EncryptionKeySource) async throws(StoreError) -> String
    ) async -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let source = keySource(of: parsed, in: folder) else { return 2 }
        do throws(Installation.Failure) {
            try DataFolder.requireStore(
                folder, hint: "name the directory with --data, or the database with --database")
        } catch {
            Output.complain(error.message, hint: error.hint)
            return 1
        }
        do throws(Installation.Failure) {
            try DataFolder.requireHome(folder)
        } catch {
            Output.complain("nothing was changed: \(error.message)", hint: error.hint)
            return 1
        }
        do throws(StoreError) {
            Output.print(try await body(folder, source))
            Output.note("on the store in \(folder); no server runs on it")
            return 0
        } catch {
            guard error.code != .busy else {
                Output.complain(
                    "a server runs on \(folder), and this works on the store itself",
                    hint: "stop the server first")
                return 1
            }
            Output.complain(
                "nothing was changed: \(StoreFailure.words(error))", hint: StoreFailure.hint(error))
            return 1
        }
    }
}
