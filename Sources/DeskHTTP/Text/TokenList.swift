/// Comma-separated lists of tokens, as in `Connection` (RFC 9110 5.6.1).
enum TokenList {
    /// Whether the list has this token, compared without regard to ASCII case.
    static func contains(_ token: StaticString, in list: String?) -> Bool {
        guard let list else { return false }
        let wanted = Array("\(token)".utf8)
        return list.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            trimmed(part).lazy.map(ByteClass.lowercased).elementsEqual(wanted)
        }
    }

    /// The text without spaces and tabs at its ends.
    static func trimmed<Text: BidirectionalCollection<UInt8>>(_ text: Text) -> Text.SubSequence {
        var rest = text[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest
    }
}
