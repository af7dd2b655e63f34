import DeskBytes
import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Largest picture of a rich link in bytes once decoded.
    static let maximumLinkPictureBytes = 200_000

    /// Judges data.images and every imageIdentifier of an interactive message.
    mutating func judgePictures(of interactive: JSONValue, data: JSONValue) {
        var known: Set<ByteString> = []
        if let images = data["images"] {
            for image in images.elements {
                if let bytes = image["identifier"]?.stringBytes { known.insert(ByteString(bytes)) }
                if let picture = image["data"] { judgePicture(picture) }
            }
            noteRepeats(of: images.elements.compactMap { $0["identifier"] }, in: "data.images")
        }
        if interactive.holdsKey("imageIdentifier") { resolve(interactive, known: known) }
    }

    /// Judges whether a text is base64 of a picture; gives the picture's bytes back if so.
    @discardableResult
    mutating func judgePicture(_ node: JSONValue, maximumBytes: Int? = nil) -> Int? {
        guard let text = node.stringBytes else { return nil }
        // Half of all hexadecimal texts decode as base64 too, but none of them is meant to.
        let isHexadecimal = Base64Shape.isHexadecimal(text)
        guard !isHexadecimal, let byteCount = Base64Shape.byteCount(of: text) else {
            note(
                .pictureNotBase64, at: node,
                found: isHexadecimal ? "hexadecimal digits" : Base64Shape.describe(text),
                allowed: "standard base64, padded, without line breaks",
                fix: "Encode the picture's bytes as standard base64 and nothing else.",
                edits: edits(forPicture: node, text))
            return nil
        }
        let head = Base64.decode(Array(text.prefix(16))) ?? []
        guard PictureFormat(firstBytes: head) != nil else {
            note(
                .pictureUnreadable, at: node, found: "base64 of bytes that are no known picture",
                allowed: "a PNG, JPEG, GIF, WebP or HEIC picture",
                fix: "Encode the picture file itself; text, SVG and web addresses do not work.")
            return nil
        }
        if let limit = maximumBytes, byteCount > limit {
            note(
                .pictureTooLarge, at: node, found: "a picture of \(byteCount) bytes",
                allowed: "at most \(limit) bytes", limit: limit, actual: byteCount,
                fix: "Scale the picture down; 240 x 240 pixels look best.")
        }
        if let size = Self.size(ofPicture: text), size.isTooLarge {
            note(
                .pictureTooLarge, at: node,
                found: "a picture of \(size.width) x \(size.height) pixels",
                allowed: "at most \(PictureSize.maximumPixels) pixels",
                limit: Int(PictureSize.maximumPixels), actual: Int(clamping: size.pixels),
                fix: "Scale the picture down before you encode it.")
        }
        return byteCount
    }

    /// What the header of a picture in base64 states; only what leads to it is decoded.
    private static func size(ofPicture text: [UInt8]) -> PictureSize? {
        var reader = PictureSizeReader()
        var place = 0
        var length = 64
        while place < text.count, !reader.isOver {
            let passed = Int(min(reader.skips / 3, UInt64((text.count - place) / 4)))
            if passed > 0 {
                reader.skip(passed * 3)
                place += passed * 4
                continue
            }
            let end = min(text.count, place + length)
            guard let bytes = Base64.decode(Array(text[place..<end])) else { break }
            reader.take(bytes)
            place = end
            length = 1_024
        }
        return reader.size
    }

    private mutating func resolve(_ node: JSONValue, known: Set<ByteString>) {
        switch node.kind {
        case .object:
            for member in node.members {
                if member.keyEquals("imageIdentifier") {
                    resolveIdentifier(member.value, known: known)
                } else if member.value.isContainer, !member.keyEquals("images"),
                    !member.keyEquals("merchantSession")
                {
                    resolve(member.value, known: known)
                }
            }
        case .array:
            for element in node.elements where element.isContainer {
                resolve(element, known: known)
            }
        case .string, .number, .boolean, .null: break
        }
    }

    private mutating func resolveIdentifier(_ node: JSONValue, known: Set<ByteString>) {
        guard let bytes = node.stringBytes else { return }
        if bytes.isEmpty {
            guard mayNote(.pictureIdentifierEmpty) else { return }
            note(
                .pictureIdentifierEmpty, at: node, found: "an empty identifier",
                allowed: "the identifier of an entry of data.images",
                fix: "Name a picture, or leave imageIdentifier out.",
                edits: Edit.remove(node).map { [$0] } ?? [])
        } else if !known.contains(ByteString(bytes)), mayNote(.pictureUnknown) {
            let meant = meant(by: node, among: known)
            let names = known.sorted().prefix(5).map { "\"\($0.text)\"" }.joined(separator: ", ")
            note(
                .pictureUnknown, at: node, found: node.quoted,
                allowed: known.isEmpty
                    ? "nothing, as data.images has no entries" : "one of \(names)",
                fix: meant.map { "Did you mean \"\($0)\"?" }
                    ?? "Add a picture with this identifier to data.images, or correct the name.",
                edits: meant.map { [.replace(node, withString: $0)] } ?? [])
        }
    }
}
