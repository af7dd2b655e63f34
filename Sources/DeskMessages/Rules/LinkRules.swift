import DeskJSON

extension Judging {
    /// Longest URL of an app message in bytes; one more is refused with 422.
    static let maximumAppURLBytes = 65_536

    /// Judges a rich link's picture.
    mutating func judgeRichLink() {
        guard let picture = root["richLinkData"]?["assets"]?["image"]?["data"] else { return }
        judgePicture(picture, maximumBytes: Self.maximumLinkPictureBytes)
    }

    /// Judges what an app message carries.
    mutating func judgeApp(_ interactive: JSONValue) {
        if let data = interactive["data"] {
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
        if let icon = interactive["appIcon"] { judgePicture(icon) }
    }

    /// Judges an invitation's picture against its template.
    mutating func judgeInvitation(_ notification: JSONValue) {
        guard let logo = notification["parameters"]?["brandLogo"] else { return }
        judgePicture(logo)
        guard let template = notification["templateId"], let text = template.string,
            text.hasSuffix("noImage")
        else { return }
        note(
            .invitationLogo, at: logo, found: "brandLogo with \(template.quoted)",
            allowed: "no brandLogo with a template without picture",
            fix: "Leave brandLogo out, or take the template with a picture.",
            edits: Edit.remove(logo).map { [$0] } ?? [])
    }
}
