import DeskBytes
import DeskModel
import Foundation

@testable import DeskSAML

/// A provider and responses of it, which xmlsec1 signed: `Fixtures`.
enum SAMLSamples {
    /// The moment in which the responses hold.
    static let now = Timestamp(seconds: 1_800_000_000)
    static let service = SAMLService(origin: "https://chat.example.com")
    static let request = "_request-1"

    static func bytes(_ name: String) throws -> [UInt8] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/\(name).xml")
        return [UInt8](try Data(contentsOf: file))
    }

    static func provider() throws -> SAMLIdentityProvider {
        try SAMLIdentityProvider(metadata: bytes("provider"))
    }

    /// Bytes with the first of some others in their place.
    static func replacing(
        _ old: String, by new: String, in bytes: [UInt8]
    ) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
    }
}
