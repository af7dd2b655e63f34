import DeskAPI
import DeskArchive
import DeskCommandLine
import DeskModel
import DeskStore

/// `frontdesk import`: makes a store of an export, or adds an export's messages to one.
enum ImportCommand {
    static func run(_ parsed: Parsed) async -> Int32 {
        let folder = parsed["data"] ?? ServeConfiguration.defaultData
        guard let path = parsed.arguments.first, parsed.arguments.count == 1 else {
            Output.complain("import takes one file, or -", hint: "see: frontdesk import --help")
            return 2
        }
        let isStore = DataFolder.hasStore(folder)
        let mayMerge = parsed.claim("merge") == true
        guard isStore, mayMerge else { return fill(folder, from: path, mayMerge: mayMerge) }
        guard path != "-" else {
            Output.complain(
                "--merge reads the export twice: first to verify it, then to add what is missing",
                hint: "name a file instead of -")
            return 2
        }
        return await merge(path, into: folder, parsed)
    }

    private static func fill(_ folder: String, from path: String, mayMerge: Bool) -> Int32 {
        let begin = ContinuousClock.now
        do throws(ArchiveFault) {
            let source = try ArchiveSource(path)
            let head = try source.readHead()
            let made: any ArchiveTarget
            do throws(StoreError) {
                made = try DataFolder.beginImport(head, into: folder)
            } catch {
                Output.complain(
                    "nothing was imported: \(error.detail)",
                    hint: error.code == .refused && !mayMerge
                        ? "an empty directory becomes an exact copy; --merge adds messages to a store"
                        : nil)
                return error.code == .refused ? 2 : 1
            }
            var links: [GatewayLink] = []
            let found = try source.readAll(
                take: { item throws(StoreError) in
                    if case .gateway(let link) = item { links.append(link) }
                    try made.take(item)
                }, finish: { () throws(StoreError) in try made.finish() }, abandon: made.abandon)
            Output.print(VerifyCommand.text(of: found, after: begin.duration(to: .now)))
            Output.print("\(path) is imported in \(folder)")
            for link in links { Output.print(Self.need(of: link)) }
            return 0
        } catch {
            Output.complain("nothing was imported: \(error)")
            return 1
        }
    }

    /// What has to be done for a link that came without its secret.
    static func need(of link: GatewayLink) -> String {
        switch link.side {
        case .provider:
            "the provider \(link.mspID) at \(link.url) has no secret: renew it in the console and "
                + "give the new one to the provider"
        case .upstream:
            "the gateway at \(link.url) refuses us without its secret: enter it in the console"
        }
    }

    private static func merge(
        _ path: String, into folder: String, _ parsed: Parsed
    ) async -> Int32 {
        do {
            let keys = try parsed.encryptionKeys()
            // The whole file is verified before any of it is imported.
            let trial = try ArchiveSource(path)
            _ = try trial.readHead()
            while try trial.next() != nil {}
            let store = try DataFolder.open(folder, keys: keys)
            store.follow { _ in }
            var merge = ArchiveMerge(
                into: store, try DirectoryBlobStore(directory: folder + "/blobs"))
            do {
                try await merge.run(ArchiveSource(path))
            } catch {
                await store.close()
                Output.complain(
                    "stopped: \(error)",
                    hint: "what was added stays; importing again adds what is missing")
                return 1
            }
            await store.close()
            for conflict in merge.conflicts { Output.complain(conflict.description) }
            Output.print(merge.text)
            return merge.refused == 0 ? 0 : 1
        } catch let error as StoreError where error.code == .busy {
            Output.complain(
                "nothing was imported: a server runs on \(folder), and import works on the store itself",
                hint: "stop the server first")
            return 1
        } catch {
            Output.complain("nothing was imported: \(error)")
            return 1
        }
    }
}
