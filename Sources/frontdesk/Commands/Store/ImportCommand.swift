import DeskAPI
import DeskArchive
import DeskCommandLine
import DeskModel
import DeskStore
import DeskStorePostgres

/// `frontdesk import`: makes a store of an export, or adds an export's messages to one.
enum ImportCommand {
    static func run(_ parsed: Parsed) async -> Int32 {
        if parsed["from"] != nil { return await ForeignImport.run(parsed) }
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let path = parsed.arguments.first, parsed.arguments.count == 1 else {
            Output.complain("import takes one file, or -", hint: "see: frontdesk import --help")
            return 2
        }
        do {
            let place = try place(of: folder, parsed)
            let mayMerge = parsed.claim("merge") == true
            guard mayMerge, try await place.hasStore() else {
                return await fill(place, from: path, mayMerge: mayMerge)
            }
            guard path != "-" else {
                Output.complain(
                    "--merge reads the export twice: first to verify it, then to add what is missing",
                    hint: "name a file instead of -")
                return 2
            }
            return await merge(path, into: place)
        } catch let error as UsageError {
            Output.complain(error)
            return 2
        } catch let error as Installation.Failure {
            Output.complain("nothing was imported: \(error.message)", hint: error.hint)
            return 1
        } catch {
            Output.complain("nothing was imported: \(error)")
            return 1
        }
    }

    /// Where an export goes.
    private struct Place {
        let name: String
        /// What is said where a store is there already.
        let emptyHint: String
        /// Whether there is a store.
        let hasStore: () async throws -> Bool
        /// Begins to make one.
        let begin: (ArchiveHead) async throws -> any ArchiveTarget
        /// Opens the one that is there.
        let open: () async throws -> CommandStore
    }

    private static func place(of folder: String, _ parsed: Parsed) throws -> Place {
        let keys = try parsed.encryptionKeys()
        guard let given = parsed["database"] else { return directory(folder, keys) }
        let address = DatabaseAddress(given)
        return Place(
            name: "the database",
            emptyHint:
                "a schema without tables becomes an exact copy; --merge adds messages to a store",
            hasStore: {
                do throws(StoreError) {
                    return try PostgresImport.hasStore(at: address.text)
                } catch {
                    throw DatabaseFailure.failure(error, at: address)
                }
            },
            begin: { head in
                try DataFolder.make(folder)
                let source = keys ?? .file(EncryptionKeyFile(in: folder))
                return try PostgresImport(
                    head, into: address.text, keys: try source.keys(needed: []), newEpoch: .random()
                )
            }, open: { try await CommandStore.open(parsed, keys: keys) })
    }

    private static func directory(_ folder: String, _ keys: EncryptionKeySource?) -> Place {
        Place(
            name: folder,
            emptyHint: "an empty directory becomes an exact copy; --merge adds messages to a store",
            hasStore: { DataFolder.hasStore(folder) },
            begin: { head in try DataFolder.beginImport(head, into: folder) },
            open: {
                do throws(StoreError) {
                    let store = try DataFolder.open(folder, keys: keys)
                    return CommandStore(
                        store: store, blobs: try DirectoryBlobStore(directory: folder + "/blobs"),
                        name: folder
                    ) { await store.close() }
                } catch {
                    guard error.code == .busy else { throw error }
                    throw Installation.Failure(
                        "a server runs on \(folder), and import works on the store itself",
                        hint: "stop the server first")
                }
            })
    }

    private static func fill(_ place: Place, from path: String, mayMerge: Bool) async -> Int32 {
        let begin = ContinuousClock.now
        do {
            let source = try ArchiveSource(path)
            let made: any ArchiveTarget
            do {
                made = try await place.begin(source.readHead())
            } catch let error as StoreError {
                Output.complain(
                    "nothing was imported: \(StoreFailure.words(error))",
                    hint: error.code == .refused && !mayMerge ? place.emptyHint : nil)
                return error.code == .refused ? 2 : 1
            }
            var needs: [String] = []
            let found = try source.readAll(
                take: { item throws(StoreError) in
                    if case .gateway(let link) = item { needs.append(Self.need(of: link)) }
                    if case .webhook(let one) = item { needs.append(Self.need(of: one)) }
                    try made.take(item)
                }, finish: { () throws(StoreError) in try made.finish() }, abandon: made.abandon)
            Output.print(VerifyCommand.text(of: found, after: begin.duration(to: .now)))
            Output.print("\(path) is imported in \(place.name)")
            for need in needs { Output.print(need) }
            return 0
        } catch {
            Output.complain("nothing was imported: \(error)", hint: hint(for: error))
            return 1
        }
    }

    /// How a file is imported that is no export.
    private static func hint(for error: any Error) -> String? {
        guard let fault = error as? ArchiveFault, fault.isOtherFile else { return nil }
        return "of another system: import it with --from chatwoot or --from jsonl (docs/import.md)"
    }

    /// What has to be done for a link that came without its secret.
    static func need(of link: GatewayLink) -> String {
        switch link.side {
        case .provider:
            "the provider \(link.mspID) at \(link.url) has no secret: renew it in the console and "
                + "give the new one to the provider"
        case .upstream:
            "the gateway at \(link.url) refuses us without its secret: enter it in the console"
        case .whatsapp:
            "the number \(link.mspID) at WhatsApp has no secrets: enter them in the console, and the new verify "
                + "token at Meta"
        }
    }

    /// What has to be done for an endpoint that came without its secret.
    private static func need(of webhook: Webhook) -> String {
        "the webhook \(webhook.url) has no secret and is disabled: renew it in the console, give the new one "
            + "to the receiver, and enable it"
    }

    private static func merge(_ path: String, into place: Place) async -> Int32 {
        do {
            // The whole file is verified before any of it is imported.
            let trial = try ArchiveSource(path)
            _ = try trial.readHead()
            while try trial.next() != nil {}
            let opened = try await place.open()
            opened.store.follow { _ in }
            var merge = ArchiveMerge(into: opened.store, opened.blobs)
            do {
                try await merge.run(ArchiveSource(path))
            } catch {
                await opened.close()
                Output.complain(
                    "stopped: \(error)",
                    hint: "what was added stays; importing again adds what is missing")
                return 1
            }
            await opened.close()
            for conflict in merge.conflicts { Output.complain(conflict.description) }
            Output.print(merge.text)
            return merge.refused == 0 ? 0 : 1
        } catch let error as Installation.Failure {
            Output.complain("nothing was imported: \(error.message)", hint: error.hint)
            return 1
        } catch {
            Output.complain("nothing was imported: \(error)", hint: hint(for: error))
            return 1
        }
    }
}
