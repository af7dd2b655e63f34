import DeskBytes
import DeskDiagnosis
import DeskJSON
import DeskModel

extension Judging {
    /// Longest URL of an app message in bytes; one more is refused with 422.
    static let maximumAppURLBytes = 65_536

    /// Judges a rich link's picture.
    mutating func judgeRichLink() {
        guard let link = root[stated: "richLinkData"] else {
            if let reference = root[stated: "richLinkDataRef"] { judgeReference(reference) }
            return
        }
        if let url = link["url"] { judgeEncoding(of: url) }
        guard let assets = link["assets"] else { return }
        if let url = assets["video"]?["url"] { judgeEncoding(of: url) }
        guard let image = assets["image"], let picture = image["data"] else { return }
        judgePicture(picture, maximumBytes: Self.maximumLinkPictureBytes)
        judgeMediaType(of: image, picture)
    }

    /// Judges whether a picture is what its media type says.
    private mutating func judgeMediaType(of image: JSONValue, _ picture: JSONValue) {
        guard let node = image["mimeType"], let stated = node.string, stated.hasPrefix("image/"),
            let names = PictureFormat(base64: picture)?.mediaTypes
        else { return }
        guard !names.contains(stated.lowercased()) else { return }
        note(
            .pictureTypeDiffers, at: node, found: node.quoted,
            allowed: "\(names[0]), as the picture's bytes are", fix: "Write \"\(names[0])\".",
            edits: [.replace(node, withString: names[0])])
    }

    /// Judges what an app message carries.
    mutating func judgeApp(_ interactive: JSONValue) {
        if let data = interactive[stated: "data"], context.direction == .outbound {
            note(
                .appWithData, at: data, found: "data in a message of an app's own extension",
                allowed: "no data; the app gets everything through URL",
                fix: "Take data out and put what the app needs into URL.",
                edits: data.count == 0 ? Edit.remove(data).map { [$0] } ?? [] : [])
        }
        if let url = interactive["URL"], url.range.count - 2 > Self.maximumAppURLBytes,
            let bytes = url.stringBytes, bytes.count > Self.maximumAppURLBytes
        {
            note(
                .appURLTooLong, at: url, found: "\(bytes.count) bytes",
                allowed: "at most \(Self.maximumAppURLBytes) bytes",
                limit: Self.maximumAppURLBytes, actual: bytes.count,
                fix: "Send a reference that the app looks up, in place of the data itself.")
        }
        if let url = interactive["URL"] { judgeEncoding(of: url) }
        if let icon = interactive[stated: "appIcon"] { judgePicture(icon) }
    }

    /// Judges an invitation's picture against its template.
    mutating func judgeInvitation(_ notification: JSONValue) {
        guard let logo = notification["parameters"]?[stated: "brandLogo"] else {
            return judgeMissingLogo(notification)
        }
        judgePicture(logo)
        guard let template = notification["templateId"], let text = template.string,
            text.hasSuffix("noImage")
        else { return }
        note(
            .invitationLogo, at: logo, found: "brandLogo with \(template.quoted)",
            allowed: "no brandLogo with a template without picture",
            fix: "Leave brandLogo out, or use the template with a picture.",
            edits: Edit.remove(logo).map { [$0] } ?? [])
    }

    private mutating func judgeMissingLogo(_ notification: JSONValue) {
        guard let parameters = notification["parameters"], parameters.kind == .object,
            let template = notification["templateId"], let text = template.string,
            text.hasSuffix("withImage")
        else { return }
        note(
            .invitationLogoMissing, at: parameters, found: "no brandLogo with \(template.quoted)",
            allowed: "brandLogo with a template with picture",
            fix: "Add brandLogo, or use the template without picture.")
    }
}
