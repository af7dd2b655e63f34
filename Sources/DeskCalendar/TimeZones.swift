import FoundationEssentials
import Synchronization

/// The time zones that the machine knows, from its copy of the IANA database.
package final class TimeZones: Sendable {
    /// Where Debian's package `tzdata` puts the files.
    package static let usualFolder = "/usr/share/zoneinfo"
    /// Longest name in bytes.
    package static let maximumNameBytes = 64

    private let folder: String
    /// What was read; no more than the database has, because only its names have a file.
    private let known = Mutex<[String: ZoneRules]>([:])

    /// Reads from a folder with the layout of the database.
    package init(folder: String = TimeZones.usualFolder) { self.folder = folder }

    /// The rules of a zone, `Europe/Berlin`; nil for a name that the machine does not know.
    ///
    /// Each file is read once. `UTC` needs none.
    package func rules(of name: String) -> ZoneRules? {
        if name == "UTC" { return .utc }
        guard Self.isName(name) else { return nil }
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + name),
            let rules = ZoneFile.read(Array(bytes.prefix(ZoneFile.maximumBytes + 1)))
        else { return nil }
        known.withLock { $0[name] = rules }
        return rules
    }

    /// Whether a text has the form of a zone's name: it can lead to no other file.
    private static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...maximumNameBytes).contains(bytes.count) else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count <= 3
            && parts.allSatisfy { part in
                // `posix/` and `right/` are copies, the latter with leap seconds.
                guard let first = part.first,
                    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
                else { return false }
                return part.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                        || byte == UInt8(ascii: "+")
                }
            }
    }
}
