import DeskBytes
import Foundation
import Testing

@testable import DeskStore

/// What encrypted secrets promise, and where their keys come from.
@Suite struct EncryptionKeysTests {
    private static let label = SecretLabel(column: "gateway_links.secret", row: [1, 2, 3])
    private static let secret = Array("hush".utf8)

    private static func keys(_ bytes: UInt8...) throws -> EncryptionKeys {
        try #require(EncryptionKeys(bytes.map { Array(repeating: $0, count: 32) }))
    }

    /// What a call threw; nil when it did not.
    private static func failure(_ body: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a secret is decrypted where it was encrypted, and is not in the ciphertext`() throws
    {
        let keys = EncryptionKeys.random()
        let stored = keys.encrypt(Self.secret, as: Self.label)
        #expect(try keys.decrypt(stored, as: Self.label) == Self.secret)
        #expect(!String(decoding: stored, as: UTF8.self).contains("hush"))
        #expect(stored != keys.encrypt(Self.secret, as: Self.label))
        #expect(EncryptionKeys.keyID(of: stored) == keys.current)
    }

    @Test(arguments: [
        SecretLabel(column: "gateway_links.secret", row: [1, 2, 4]),
        SecretLabel(column: "secrets.value", row: [1, 2, 3]),
    ])
    func `a secret copied to another row or column is damage there`(_ other: SecretLabel) throws {
        let keys = try Self.keys(1)
        let stored = keys.encrypt(Self.secret, as: Self.label)
        let error = Self.failure { () throws(StoreError) in
            _ = try keys.decrypt(stored, as: other)
        }
        #expect(error?.code == .damaged)
    }

    @Test func `no changed byte of a secret passes`() throws {
        let keys = try Self.keys(1)
        let stored = keys.encrypt(Self.secret, as: Self.label)
        for place in stored.indices {
            var changed = stored
            changed[place] ^= 1
            let error = Self.failure { () throws(StoreError) in
                _ = try keys.decrypt(changed, as: Self.label)
            }
            // A changed id of the key names a key that is not there.
            #expect(error?.code == ((1...8).contains(place) ? .keyMissing : .damaged), "\(place)")
        }
        for count in 0..<stored.count {
            let error = Self.failure { () throws(StoreError) in
                _ = try keys.decrypt(Array(stored.prefix(count)), as: Self.label)
            }
            #expect(error?.code == .damaged, "\(count)")
        }
    }

    @Test func `the current key encrypts and the earlier ones decrypt`() throws {
        let old = try Self.keys(1)
        let both = try Self.keys(2, 1)
        let before = old.encrypt(Self.secret, as: Self.label)
        #expect(try both.decrypt(before, as: Self.label) == Self.secret)
        let after = both.encrypt(Self.secret, as: Self.label)
        let error = Self.failure { () throws(StoreError) in
            _ = try old.decrypt(after, as: Self.label)
        }
        #expect(error?.code == .keyMissing)
        #expect(try Self.keys(2).decrypt(after, as: Self.label) == Self.secret)
        #expect(try #require(old.rotated()).ids.dropFirst() == old.ids[...])
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes files of others"))
    func `a file of keys that root writes belongs to whom the folder or the file before belongs`()
        throws
    {
        try withFolder { folder in
            func owner() throws -> NSNumber? {
                try FileManager.default.attributesOfItem(atPath: folder + "/encryption.key")[
                    .ownerAccountID] as? NSNumber
            }
            let file = EncryptionKeyFile(in: folder)
            try FileManager.default.setAttributes(
                [.ownerAccountID: 65_534, .groupOwnerAccountID: 65_534], ofItemAtPath: folder)
            try file.write(try Self.keys(1))
            #expect(try owner() == 65_534)
            try FileManager.default.setAttributes(
                [.ownerAccountID: 0, .groupOwnerAccountID: 0], ofItemAtPath: folder)
            try file.write(try Self.keys(2, 1))
            #expect(try owner() == 65_534)
        }
    }

    @Test func `a file of keys is its owner's alone and is read as it was written`() throws {
        try withFolder { folder in
            let file = EncryptionKeyFile(in: folder)
            #expect(try file.read() == nil)
            let keys = try Self.keys(2, 1)
            try file.write(keys)
            #expect(try file.read() == keys)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[
                .posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: file.path)
            let error = Self.failure { () throws(StoreError) in _ = try file.read() }
            #expect(error?.code == .refused)
        }
    }

    @Test(arguments: [
        ("", "0 keys"), ("# only words\n", "0 keys"), ("AAAA\n", "line 1"),
        ("# a\n\n%%%\n", "line 3"),
        (
            String(repeating: Base64.encode(Array(repeating: 7, count: 32)) + "\n", count: 17),
            "17 keys"
        ),
    ])
    func `a file that holds no keys is refused by its line, and not shown`(
        text: String, named: String
    ) throws {
        let error = Self.failure { () throws(StoreError) in
            _ = try EncryptionKeyFile.keys(in: Array(text.utf8), of: "encryption.key")
        }
        #expect(error?.code == .refused)
        #expect(error?.detail.contains(named) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("%%%") == false)
    }

    @Test func `a missing file is made for a store that needs no key, and for no other`() throws {
        try withFolder { folder in
            let source = EncryptionKeySource.file(EncryptionKeyFile(in: folder))
            let needed = try Self.keys(1).ids
            let missing = Self.failure { () throws(StoreError) in
                _ = try source.keys(needed: needed)
            }
            #expect(missing?.code == .keyMissing)
            #expect(missing?.detail.contains(needed[0].text) == true)
            #expect(try source.read() == nil)
            let made = try source.keys(needed: [])
            #expect(try source.keys(needed: made.ids) == made)
            let wrong = Self.failure { () throws(StoreError) in
                _ = try source.keys(needed: needed)
            }
            #expect(wrong?.code == .keyMissing)
            #expect(try source.read() == made)
        }
    }

    @Test func `keys are given as base64, the current one first`() throws {
        let texts = [2, 1].map { Base64.encode(Array(repeating: UInt8($0), count: 32)) }
        let source = try EncryptionKeySource(given: texts)
        #expect(try source.keys(needed: []) == Self.keys(2, 1))
        let error = Self.failure { () throws(StoreError) in
            _ = try EncryptionKeySource(given: ["short"])
        }
        #expect(error?.code == .refused && error?.detail.contains("short") == false)
    }
}

/// Lends a folder that is gone afterwards.
private func withFolder(_ body: (String) throws -> Void) throws {
    let number = UInt64.random(in: 0...UInt64.max)
    let path = FileManager.default.temporaryDirectory.path + "/keys-\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // Safe: the folder is temporary.
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
}
