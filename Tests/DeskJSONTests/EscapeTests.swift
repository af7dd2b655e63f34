import DeskJSON
import Testing

/// The two writers of JSON: one of bytes as they come, one of a tree of values.
struct EscapeTests {
    @Test func `both writers write every character of the basic plane alike, and it is read back`()
        throws
    {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["\(scalar)", "a\(scalar)\"", "\(scalar)\(scalar)\\b"] {
                var writer = JSONWriter()
                writer.object { $0.member("key", text) }
                var keyed = JSONWriter()
                keyed.object {
                    $0.key(text: text)
                    $0.string(utf8: Array(text.utf8))
                }
                let tree = JSON.object([("key", .string(text))]).bytes()
                let keyedTree = JSON.object([(text, .string(text))]).bytes()
                let read = try JSONDocument(parsing: writer.bytes).root["key"]?.stringBytes
                guard writer.bytes == tree, keyed.bytes == keyedTree, read == Array(text.utf8)
                else {
                    Issue.record("U+\(String(value, radix: 16)) in \(text.utf8.count) bytes")
                    return
                }
                let isPlain = tree.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                let mustBeEscaped = value < 0x20 || value == 0x2028 || value == 0x2029
                if mustBeEscaped, !isPlain { Issue.record("U+\(String(value, radix: 16)) is bare") }
            }
        }
    }
}
