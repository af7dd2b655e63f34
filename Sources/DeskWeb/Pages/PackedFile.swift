import DeskBytes
package import DeskHTTP
import Synchronization

/// A file that is smaller in gzip: packed once, for all who read it, and kept in that form only.
///
/// Nearly every client unpacks; the others get bytes that are unpacked for each request.
package final class PackedFile: Sendable {
    /// Smallest file that is packed, in bytes; below it the fields around a file weigh more.
    private static let leastBytes = 512

    /// Distinguishes it from the plain file, which has other bytes.
    package let validators: Validators
    private let kept: Mutex<Kept>

    private enum Kept {
        case plain([UInt8])
        case packed([UInt8], byteCount: Int)
    }

    package init(_ plain: [UInt8], contentMark: String) {
        validators = Validators(contentMark: contentMark + "-gzip")
        kept = Mutex(.plain(plain))
    }

    /// Whether a file of this type and size may become smaller; pictures and fonts are packed already.
    static func mayGain(_ type: String, _ byteCount: Int) -> Bool {
        guard byteCount >= leastBytes else { return false }
        let bare = type.prefix { $0 != ";" }
        return bare.hasPrefix("text/") || bare.hasSuffix("json") || bare.hasSuffix("xml")
            || bare == "application/wasm"
    }

    /// The packed bytes; nil until they are made, and for ever where they are no fewer.
    package var bytes: [UInt8]? {
        if case .packed(let bytes, _) = kept.withLock({ $0 }) { bytes } else { nil }
    }

    /// The plain bytes; nil when there is no memory to unpack them.
    package var plain: [UInt8]? {
        switch kept.withLock({ $0 }) {
        case .plain(let bytes): bytes
        // Safe: these bytes were verified when they were packed.
        case .packed(let bytes, let count): try? Gzip.decompress(bytes, limitBytes: count)
        }
    }

    /// How many bytes are held in memory for it.
    package var heldByteCount: Int {
        switch kept.withLock({ $0 }) {
        case .plain(let bytes), .packed(let bytes, _): bytes.count
        }
    }

    /// Packs it, unless that was done; the plain bytes are let go.
    package func pack() {
        // Safe: without zlib, or if it were wrong, the file is kept and sent as it is.
        guard case .plain(let plain) = kept.withLock({ $0 }),
            let made = try? Gzip.compress(plain, level: 9), made.count < plain.count,
            let proof = try? Gzip.decompress(made, limitBytes: plain.count), proof == plain
        else { return }
        kept.withLock { $0 = .packed(made, byteCount: plain.count) }
    }
}
