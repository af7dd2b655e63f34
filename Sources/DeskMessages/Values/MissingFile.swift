public import DeskModel

/// Something that a customer's message referred to and that could not be fetched.
///
/// Download links live for seconds and may be dead on arrival; the words are kept all the same
/// (protocol page 13.3). It lies among the message's protocol fields, one field for each file.
public struct MissingFile: Hashable, Sendable {
    /// Under which name it is kept among a message's protocol fields; ours, not the protocol's.
    public static let headerName = "x-missing-file"
    /// Most bytes of a reason that are kept.
    static let maximumReasonBytes = 300

    /// Its place in the payload's `attachments`; nil for what `interactiveDataRef` stood for.
    public let place: Int?
    /// Why it is not here, in one line.
    public let reason: String

    /// Puts the two together; a longer reason is cut.
    public init(place: Int?, reason: String) {
        self.place = place
        self.reason = String(
            decoding: reason.utf8.prefix(Self.maximumReasonBytes).map { $0 < 0x20 ? 0x20 : $0 },
            as: UTF8.self)
    }

    /// Reads a field; nil for any other.
    public init?(_ field: HeaderField) {
        guard field.name == Self.headerName, let space = field.value.firstIndex(of: " ") else {
            return nil
        }
        place = Int(field.value[..<space])
        reason = String(field.value[field.value.index(after: space)...])
    }

    /// The field that it is kept as.
    public var field: HeaderField {
        HeaderField(
            name: Self.headerName, value: "\(place.map { String($0) } ?? "data") \(reason)")
    }
}
