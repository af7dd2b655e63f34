import DeskBytes
import DeskHTTP
import Synchronization

/// A file's bytes in gzip: made once, for all who read it.
final class PackedFile: Sendable {
    /// Smallest file that is packed, in bytes; below it the fields around a file weigh more.
    private static let leastBytes = 512

    /// Tells it from the plain file, which has other bytes.
    let validators: Validators
    private let packed = Mutex<[UInt8]?>(nil)

    init(contentMark: String) { validators = Validators(contentMark: contentMark + "-gzip") }

    /// Whether a file of this type and size may become smaller; pictures and fonts are packed already.
    static func mayGain(_ type: String, _ byteCount: Int) -> Bool {
        guard byteCount >= leastBytes else { return false }
        let bare = type.prefix { $0 != ";" }
        return bare.hasPrefix("text/") || bare.hasSuffix("json") || bare.hasSuffix("xml")
            || bare == "application/wasm"
    }

    /// The packed bytes; nil until they are made, and for ever where they are no fewer.
    var bytes: [UInt8]? { packed.withLock { $0 } }

    /// Makes them.
    func pack(_ plain: [UInt8]) {
        // Safe: without zlib the file is sent as it is.
        guard let made = try? Gzip.compress(plain, level: 9), made.count < plain.count else {
            return
        }
        packed.withLock { $0 = made }
    }
}
