public import DeskBytes
public import DeskMessages
import Foundation

/// Files of the checkout that tests read.
public enum TestFiles {
    /// The checkout's folder.
    public static let root = String(
        #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/" + $1 })

    /// A file's text by its path in the checkout; nil when there is none.
    public static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: root + "/" + path)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a file anywhere; nil when there is none.
    public static func bytes(at path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    /// The bytes of an open file.
    public static func bytes(of file: OpenFile) -> [UInt8] {
        // Safe to fail: a test that gets no bytes compares them.
        let handle = FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false)
        try? handle.seek(toOffset: 0)
        return (try? handle.readToEnd()).map { [UInt8]($0) } ?? []
    }

    /// The paths of all files below a folder of the checkout.
    public static func names(_ folder: String) -> [String] {
        (FileManager.default.subpaths(atPath: root + "/" + folder) ?? []).map { folder + "/" + $0 }
    }

    /// The names of all files in a folder anywhere, its folders left out.
    public static func files(below folder: String) -> [String] {
        (FileManager.default.subpaths(atPath: folder) ?? []).filter { name in
            (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)) == nil
        }
    }

    /// The files of Schemas/ by their path below it.
    public static let schemas: [(name: String, bytes: [UInt8])] = {
        let folder = root + "/Schemas"
        let names =
            FileManager.default.subpaths(atPath: folder)?.filter { $0.hasSuffix(".json") } ?? []
        return names.compactMap { name in
            FileManager.default.contents(atPath: folder + "/" + name).map { (name, [UInt8]($0)) }
        }
    }()

    /// The rulebook made of Schemas/, compiled once.
    public static let rulebook: Rulebook = {
        do {
            return try Rulebook(schemas: schemas)
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
