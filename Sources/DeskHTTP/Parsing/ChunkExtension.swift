/// Where in a chunk's extensions a reader is: `;name`, `;name=token` or `;name="text"` (RFC 9112 7.1.1).
///
/// Their values are dropped, and yet they are parsed strictly: where two readers disagree about
/// the end of a line, one of them can be shown a request that the other never sees.
enum ChunkExtension: Sendable {
    case beforeName
    case name
    case afterName
    case beforeValue
    case token
    case quoted
    case escaped
    case afterQuoted
    case afterValue

    /// Whether the line may end here.
    var mayEnd: Bool {
        switch self {
        case .name, .token, .afterQuoted: true
        case .beforeName, .afterName, .beforeValue, .quoted, .escaped, .afterValue: false
        }
    }

    /// The state after one more byte; nil when the grammar does not allow it here.
    func next(_ byte: UInt8) -> ChunkExtension? {
        let isBlank = byte == 0x20 || byte == 0x09
        switch self {
        case .beforeName: return isBlank ? self : ByteClass.isToken(byte) ? .name : nil
        case .name:
            if ByteClass.isToken(byte) { return self }
            return isBlank ? .afterName : Self.afterName(byte)
        case .afterName: return isBlank ? self : Self.afterName(byte)
        case .beforeValue:
            if isBlank { return self }
            return byte == UInt8(ascii: "\"") ? .quoted : ByteClass.isToken(byte) ? .token : nil
        case .token: return ByteClass.isToken(byte) ? self : Self.afterValue(byte, isBlank)
        case .quoted:
            if byte == UInt8(ascii: "\"") { return .afterQuoted }
            if byte == UInt8(ascii: "\\") { return .escaped }
            return ByteClass.isFieldText(byte) ? self : nil
        case .escaped: return ByteClass.isFieldText(byte) ? .quoted : nil
        case .afterQuoted, .afterValue: return Self.afterValue(byte, isBlank)
        }
    }

    private static func afterName(_ byte: UInt8) -> ChunkExtension? {
        byte == UInt8(ascii: "=") ? .beforeValue : byte == UInt8(ascii: ";") ? .beforeName : nil
    }

    private static func afterValue(_ byte: UInt8, _ isBlank: Bool) -> ChunkExtension? {
        isBlank ? .afterValue : byte == UInt8(ascii: ";") ? .beforeName : nil
    }
}
