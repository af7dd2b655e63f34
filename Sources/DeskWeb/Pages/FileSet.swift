import DeskBytes
import DeskCrypto
package import DeskHTTP
import FoundationEssentials

/// A folder of ours, read once at start; a request's path is a key into it and never a path.
public struct FileSet: Sendable {
    /// One file as it is sent.
    public struct File: Sendable {
        /// Its media type.
        public let type: String
        /// What distinguishes an old copy from this one.
        package let validators: Validators
        /// Whether its name has the mark of its content, as the names of the shipped fonts have.
        package let isMarked: Bool
        /// The same bytes packed, for readers that unpack; nil where packing is no gain.
        package let packed: PackedFile?
        /// Its bytes where they are not `packed`'s.
        private let own: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            type = MediaType.named(path)
            let mark = Hex.encode(SHA256.digest(bytes).prefix(12))
            isMarked = path.contains(".\(mark.prefix(Self.leastMark)).")
            validators = Validators(contentMark: mark)
            let mayGain = PackedFile.mayGain(type, bytes.count)
            packed = mayGain ? PackedFile(bytes, contentMark: mark) : nil
            own = mayGain ? [] : bytes
        }

        /// How many hexadecimal digits of the content's SHA-256 a name must have to count as marked.
        private static let leastMark = 12

        /// All of its bytes; nil when there is no memory to unpack them.
        public var bytes: [UInt8]? { if let packed { packed.plain } else { own } }
    }

    /// Why a folder was not read.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The folder or file.
        public let path: String
        /// What is the matter with it.
        public let reason: String

        /// Path and reason.
        public var description: String { "\(path): \(reason)" }
    }

    /// Largest file in bytes, and most files; a folder beyond it is not one of ours.
    package static let maximumBytes = 8 * 1_024 * 1_024
    package static let maximumFiles = 5_000

    private let files: [ByteString: File]
    /// Changes with any path and any content: SHA-256 of all, in hexadecimal.
    package let mark: String

    /// A set of files by their path below the folder.
    public init(_ files: [String: [UInt8]] = [:]) {
        self.files = Dictionary(
            uniqueKeysWithValues: files.map { path, bytes in
                (ByteString(path), File(path: path, bytes: bytes))
            })
        let all = self.files.sorted { $0.key < $1.key }
            .map { "\($0.key.text) \($0.value.validators.entityTag)\n" }.joined()
        mark = Hex.encode(SHA256.digest(Array(all.utf8)))
    }

    private init(files: [ByteString: File], mark: String) {
        self.files = files
        self.mark = mark
    }

    /// The same files but for those that have another content; the mark stays the one of the folder.
    ///
    /// - Parameter content: a file's other content; nil for one that stays as it is.
    package func replacing(_ content: (_ path: String, _ bytes: [UInt8]) -> [UInt8]?) -> FileSet {
        var changed = files
        for (path, file) in files {
            guard let bytes = file.bytes, let other = content(path.text, bytes) else { continue }
            changed[path] = File(path: path.text, bytes: other)
        }
        return FileSet(files: changed, mark: mark)
    }

    /// Reads a folder with all below it; names that start with a dot are left out.
    public init(folder: String) throws(Failure) {
        var found: [String: [UInt8]] = [:]
        guard let names = FileManager.default.enumerator(below: folder) else {
            throw Failure(path: folder, reason: "no such folder")
        }
        for name in names {
            guard found.count < Self.maximumFiles else {
                throw Failure(path: folder, reason: "more than \(Self.maximumFiles) files")
            }
            let path = folder + "/" + name
            guard let data = FileManager.default.contents(atPath: path) else {
                throw Failure(path: path, reason: "cannot be read")
            }
            guard data.count <= Self.maximumBytes else {
                throw Failure(path: path, reason: "more than \(Self.maximumBytes) bytes")
            }
            found[name] = [UInt8](data)
        }
        self.init(found)
    }

    /// Packs every file that gains by it, once, and keeps it so; until then it is sent as it is.
    ///
    /// Cancel: leaves the rest as they are.
    public func pack() async {
        for file in files.values {
            guard !Task.isCancelled else { return }
            file.packed?.pack()
            await Task.yield()
        }
    }

    /// How many files there are.
    public var count: Int { files.count }

    /// The file of this path, compared as bytes.
    public subscript(_ path: String) -> File? { files[ByteString(path)] }

    /// All paths, sorted.
    public var paths: [String] { files.keys.sorted().map(\.text) }
}

extension FileManager {
    /// The regular files below a folder, as paths relative to it; nil when there is no such folder.
    fileprivate func enumerator(below folder: String) -> [String]? {
        var isDirectory = false
        guard fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory else { return nil }
        var found: [String] = []
        var folders = [""]
        while let next = folders.popLast() {
            let here = next.isEmpty ? folder : folder + "/" + next
            let names: [String]
            do { names = try contentsOfDirectory(atPath: here) } catch { return nil }
            for name in names.sorted() where name.utf8.first != UInt8(ascii: ".") {
                let path = next.isEmpty ? name : next + "/" + name
                guard fileExists(atPath: folder + "/" + path, isDirectory: &isDirectory) else {
                    continue
                }
                if isDirectory { folders.append(path) } else { found.append(path) }
            }
        }
        return found
    }
}
