import DeskStore
import Synchronization

@testable import DeskArchive

/// Keeps the lines of what an archive hands over, the bytes of attachments left out.
final class ArchiveCollector: Sendable {
    private let kept = Mutex<[[UInt8]]>([])

    var lines: [[UInt8]] { kept.withLock { $0 } }

    func add(_ item: ArchiveItem) throws(StoreError) {
        if case .piece = item { return }
        let line = try ArchiveLine.write(item)
        kept.withLock { $0.append(line) }
    }

    static func isNoPiece(_ line: [UInt8]) -> Bool {
        !line.starts(with: Array("{\"type\":\"bytes\"".utf8))
    }
}
