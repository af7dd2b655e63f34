import DeskBytes

/// The file that holds the encryption keys: a line of base64 for each, the current one first.
public struct EncryptionKeyFile: Sendable, Equatable {
    /// Its name in a data directory.
    public static let name = "encryption.key"
    /// Largest file in bytes.
    private static let maximumBytes = 16_384

    /// Where it is.
    public let path: String

    /// Names a file.
    public init(path: String) { self.path = path }

    /// The file of a data directory when no other is named.
    public init(in directory: String) { path = directory + "/" + Self.name }

    /// Reads the keys; nil when there is no such file.
    ///
    /// - Throws: `refused` with a sentence when it is no file of keys or everybody may read it, `failed`.
    public func read() throws(StoreError) -> EncryptionKeys? {
        guard let opened = try FileCalls.open(path) else { return nil }
        defer { FileCalls.close(opened) }
        guard try !FileCalls.isOpenToEverybody(opened) else {
            throw StoreError(
                .refused, "everybody on this machine may read \(path): chmod 600 it, and rotate")
        }
        let bytes = try FileCalls.read(opened, at: 0, atMost: Self.maximumBytes)
        return try Self.keys(in: bytes, of: path)
    }

    /// Replaces the file in one step; readable by its owner only, who is that of the file before or of the folder.
    ///
    /// Durable: on return.
    public func write(_ keys: EncryptionKeys) throws(StoreError) {
        let lines = [
            "# Encrypts the secrets in Frontdesk's store: the first key encrypts, every key decrypts.",
            "# No backup holds this file: keep a copy of it, apart from the backups.",
        ]
        let text = (lines + keys.keys.map { Base64.encode($0) }).joined(separator: "\n") + "\n"
        let beside = path.lastIndex(of: "/").map { path[..<$0] }.map(String.init) ?? "."
        let folder = beside.isEmpty ? "/" : beside
        let partial = path + ".partial"
        _ = try FileCalls.remove(partial)
        let file = try FileCalls.create(partial)
        defer { FileCalls.close(file) }
        // The server runs as another user than root, who may have asked for this.
        try FileCalls.keepOwner(of: path, in: folder, for: file)
        try FileCalls.write(Array(text.utf8), to: file)
        try FileCalls.flush(file) { _ in }
        try FileCalls.move(partial, to: path)
        try FileCalls.flushDirectory(folder) { _ in }
    }

    /// Reads keys from the text of a file; `#` begins a comment.
    ///
    /// - Throws: `refused` with the line that is no key, and nothing of what it holds.
    static func keys(in bytes: [UInt8], of name: String) throws(StoreError) -> EncryptionKeys {
        var keys: [[UInt8]] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            keys.append(try key(text, "line \(place + 1) of \(name)"))
        }
        guard let found = EncryptionKeys(keys) else {
            throw StoreError(
                .refused,
                "\(name) has \(keys.count) keys; 1 to \(EncryptionKeys.maximumKeys) are needed")
        }
        return found
    }

    /// Reads one key.
    static func key(_ text: String, _ name: String) throws(StoreError) -> [UInt8] {
        guard let key = Base64.decode(text), key.count == EncryptionKeys.keyBytes else {
            throw StoreError(
                .refused, "\(name) is no key: \(EncryptionKeys.keyBytes) bytes in base64")
        }
        return key
    }
}

/// Where the encryption keys come from.
public enum EncryptionKeySource: Sendable, Equatable {
    /// A file, which is made for a store that has nothing encrypted yet.
    case file(EncryptionKeyFile)
    /// The process was given them.
    case given(EncryptionKeys)

    /// Keys that the process was given as base64, the current one first.
    ///
    /// - Throws: `refused` when one is no key.
    public init(given texts: [String]) throws(StoreError) {
        var keys: [[UInt8]] = []
        for (place, text) in texts.enumerated() {
            keys.append(try EncryptionKeyFile.key(text, "encryption key \(place + 1)"))
        }
        guard let found = EncryptionKeys(keys) else {
            throw StoreError(
                .refused,
                "there are \(keys.count) encryption keys; "
                    + "1 to \(EncryptionKeys.maximumKeys) are needed")
        }
        self = .given(found)
    }

    /// What the source is called in a sentence.
    public var name: String {
        switch self {
        case .file(let file): file.path
        case .given: "the keys that were given"
        }
    }

    /// The keys for a store, every one of which `needed` names among them.
    ///
    /// A file that is missing is made when nothing is needed yet.
    /// - Throws: `keyMissing` with a sentence, `refused`, `failed`.
    public func keys(
        needed: some Collection<EncryptionKeyID>
    ) throws(StoreError) -> EncryptionKeys {
        guard let found = try read() else {
            guard needed.isEmpty, case .file(let file) = self else {
                throw missing(needed.map(\.text), "which is missing")
            }
            let made = EncryptionKeys.random()
            try file.write(made)
            return made
        }
        let lacking = needed.filter { !found.ids.contains($0) }
        guard lacking.isEmpty else {
            throw missing(lacking.map(\.text), "which has other keys")
        }
        return found
    }

    /// The keys as they are there now; nil for a file that is missing.
    public func read() throws(StoreError) -> EncryptionKeys? {
        switch self {
        case .file(let file): try file.read()
        case .given(let keys): keys
        }
    }

    private func missing(_ ids: [String], _ why: String) -> StoreError {
        StoreError(
            .keyMissing,
            "secrets in it are encrypted with the key \(ids.sorted().joined(separator: " and ")); "
                + "it was looked for in \(name), \(why)")
    }
}
