import DeskJSON
public import DeskModel

/// What of a stored payload its customer's device gets: what it shows and answers with, and no more.
///
/// What is stored, sent on and shown to the business stays byte for byte; only the customer's copy is
/// reduced. Secrets of an OAuth client, sealed tokens, a merchant's session and the keys of files are
/// nothing that the customer's page needs. Each feature declares its own part (``Feature/devicePart``);
/// below `authenticate` and `payment` a member that is not named there is left out.
public enum DeviceView {
    private static let table: DevicePart = .all([
        "attachments": .each(.named("name", "mimeType", "mime-type", "size", "file-size")),
        "interactiveDataRef": .named("bid", "title"),
        "richLinkDataRef": .named("title"),
        "interactiveData": .all(["data": .all(features)]),
    ])

    private static let features: [String: DevicePart] = KindModel.all.compactMap(\.feature)
        .reduce(into: [:]) { $0[$1.key.description] = $1.devicePart }

    /// The device's copy of a payload.
    ///
    /// Most kinds are given as they are, without a look; a payload that cannot be read is `{}`.
    public static func payload(
        _ payload: [UInt8], of kind: MessageKind, hasAttachments: Bool
    ) -> [UInt8] {
        guard hasAttachments || kind.model.isReducedForDevice else { return payload }
        guard let root = JSONValue.parsed(payload) else { return Array("{}".utf8) }
        var text = JSONWriter()
        write(root, table, to: &text)
        return text.bytes
    }

    private static func write(_ value: JSONValue, _ part: DevicePart, to text: inout JSONWriter) {
        switch part {
        case .whole: text.raw(value.rawBytes)
        case .each(let part):
            guard value.kind == .array else { return text.null() }
            text.array { text in
                for element in value.elements { write(element, part, to: &text) }
            }
        case .only(let parts), .all(let parts):
            let isOpen = if case .all = part { true } else { false }
            // Another sort of value than the protocol has is nothing that a device can use.
            guard value.kind == .object else {
                return isOpen ? text.raw(value.rawBytes) : text.null()
            }
            text.object { text in
                for member in value.members {
                    let known = parts.first { member.keyEquals($0.key) }?.value
                    guard let part = known ?? (isOpen ? .whole : nil) else { continue }
                    text.key(text: member.key)
                    write(member.value, part, to: &text)
                }
            }
        }
    }
}
