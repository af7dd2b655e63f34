import DeskBytes
import DeskModel
import DeskStore
import Foundation
import TestSupport
import Testing

@testable import DeskStoreSQLite

/// A data directory whose secrets are encrypted: what opens it, and what lies in its files.
@Suite struct EncryptedStoreTests {
    private static let secret = Array("a-secret-of-a-provider-0123456789".utf8)

    private static let link = GatewayLink(
        id: GatewayLinkID(uniqueID(0x6001)), business: business(1), side: .provider, mspID: "msp",
        secret: secret, url: "https://provider.example", createdAt: dawn)

    /// The files of a directory that hold bytes.
    private static func files(holding bytes: [UInt8], in directory: String) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: directory))
        var found: [String] = []
        for case let name as String in names {
            guard let file = FileManager.default.contents(atPath: directory + "/" + name) else {
                continue
            }
            if file.firstRange(of: Data(bytes)) != nil { found.append(name) }
        }
        return found
    }

    private static func make(in directory: String) async throws -> [UInt8] {
        let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
        #expect(try await store.save(link, author: .server))
        let own = try await store.requireSecret(.fileAddresses)
        await store.close()
        return own
    }

    @Test func `a plain secret is in no file of the data directory`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            #expect(try await store.save(Self.link, author: .server))
            let own = try await store.requireSecret(.joinCodes)
            // While it runs the write-ahead log holds the newest pages.
            for secret in [Self.secret, own] {
                #expect(try Self.files(holding: secret, in: directory) == [])
            }
            await store.close()
            for secret in [Self.secret, own] {
                #expect(try Self.files(holding: secret, in: directory) == [])
            }
            // The scan sees what is plain.
            #expect(
                try Self.files(holding: Array("https://provider.example".utf8), in: directory)
                    == ["frontdesk.sqlite"])
        }
    }

    @Test func `secrets of before are encrypted by the first start, and leave no trace`()
        async throws
    {
        try await withScratch { directory in
            try await SchemaFixture.layOut(20, in: directory)
            let file = try Connection(path: directory + "/frontdesk.sqlite", mayWrite: true)
            let change = try file.prepare("UPDATE gateway_links SET secret = ?")
            try change.bind(Self.secret)
            try change.run()
            _ = try file.checkpoint(.empty)
            #expect(try Self.files(holding: Self.secret, in: directory) == ["frontdesk.sqlite"])
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            #expect(try await store.gatewayLinks().map(\.secret) == [Self.secret])
            await store.close()
            #expect(try Self.files(holding: Self.secret, in: directory) == [])
        }
    }

    @Test func `a missing or wrong key is said and loses nothing`() async throws {
        try await withScratch { directory in
            let own = try await Self.make(in: directory)
            let file = EncryptionKeyFile(in: directory)
            let keys = try #require(try file.read())
            for wrong in [nil, EncryptionKeys.random()] {
                try FileManager.default.removeItem(atPath: file.path)
                if let wrong { try file.write(wrong) }
                do throws(StoreError) {
                    _ = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                    Issue.record("it opened")
                } catch {
                    #expect(error.code == .keyMissing)
                    #expect(error.detail.contains(keys.current.text))
                    #expect(error.detail.contains(file.path))
                }
                #expect(try file.read() == wrong)
                if wrong == nil { try file.write(keys) }
            }
            try file.write(keys)
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            #expect(try await store.gatewayLinks() == [Self.link])
            #expect(try await store.requireSecret(.fileAddresses) == own)
            await store.close()
        }
    }

    @Test func `a start encrypts with the current key what an earlier one encrypts`() async throws {
        try await withScratch { directory in
            _ = try await Self.make(in: directory)
            let file = EncryptionKeyFile(in: directory)
            let rotated = try #require(try file.read()?.rotated())
            try file.write(rotated)
            for _ in 1...2 {
                let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
                #expect(try await store.gatewayLinks() == [Self.link])
                #expect(try await store.countSecrets() == [rotated.current: 2])
                await store.close()
            }
            #expect(try StoreVerification(reading: directory).secrets == [rotated.current: 2])
        }
    }

    @Test func `the keys may be given instead of a file`() async throws {
        try await withScratch { directory in
            let texts = [Base64.encode(Array(repeating: 5, count: 32))]
            var options = SQLiteStore.Options()
            options.keys = try EncryptionKeySource(given: texts)
            for _ in 1...2 {
                let store = try SQLiteStore(
                    directory: directory, newEpoch: Epoch(0xE), options: options)
                _ = try await store.requireSecret(.joinCodes)
                await store.close()
            }
            #expect(try EncryptionKeyFile(in: directory).read() == nil)
        }
    }

    @Test func `a lost key costs the secrets that it encrypts and nothing else`() async throws {
        try await withScratch { directory in
            let own = try await Self.make(in: directory)
            let file = EncryptionKeyFile(in: directory)
            try FileManager.default.removeItem(atPath: file.path)
            let source = EncryptionKeySource.file(file)
            let links = try SQLiteStore.forgetSecrets(inDirectory: directory, keys: source)
            #expect(links == [Self.link.id])
            let store = try SQLiteStore(directory: directory, newEpoch: Epoch(0xE))
            let left = try await store.gatewayLinks()
            #expect(left.map(\.id) == [Self.link.id] && left.map(\.secret) != [Self.secret])
            #expect(try await store.requireSecret(.fileAddresses) != own)
            await store.close()
            #expect(try SQLiteStore.forgetSecrets(inDirectory: directory, keys: source) == [])
        }
    }

    @Test func `a backup holds no key, and says which one it needs`() async throws {
        try await withScratch { directory in
            let store = try SQLiteStore(directory: directory + "/data", newEpoch: Epoch(0xE))
            #expect(try await store.save(Self.link, author: .server))
            let key = store.encryptionKeys.current
            let backup = try await store.backUp(to: directory + "/backup", at: dawn, leaving: 0)
            #expect(backup.verification.secrets == [key: 1])
            await store.close()
            #expect(try EncryptionKeyFile(in: directory + "/backup").read() == nil)
            // The key may be put in place before the restore or after it.
            let keys = try #require(try EncryptionKeyFile(in: directory + "/data").read())
            try FileManager.default.createDirectory(
                atPath: directory + "/copy", withIntermediateDirectories: true)
            try EncryptionKeyFile(in: directory + "/copy").write(keys)
            _ = try SQLiteStore.restore(
                directory + "/backup", to: directory + "/copy", newEpoch: Epoch(0xF))
            let copy = try SQLiteStore(directory: directory + "/copy", newEpoch: Epoch(0xE))
            #expect(try await copy.gatewayLinks() == [Self.link])
            await copy.close()
        }
    }
}
