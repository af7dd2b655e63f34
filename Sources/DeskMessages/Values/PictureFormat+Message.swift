import DeskBytes
import DeskJSON

extension PictureFormat {
    /// The media types that go with it, the right one first.
    var mediaTypes: [String] {
        switch self {
        case .png: ["image/png"]
        case .jpeg: ["image/jpeg", "image/jpg"]
        case .gif: ["image/gif"]
        case .webp: ["image/webp"]
        case .heic: ["image/heic", "image/heif", "image/avif"]
        }
    }

    /// The format of a picture in base64; nil for anything else.
    init?(base64 node: JSONValue) {
        guard let text = node.stringBytes, !Base64Shape.isHexadecimal(text) else { return nil }
        self.init(firstBytes: Base64.decode(Array(text.prefix(16))) ?? [])
    }
}
