import DeskJSON
import Testing

/// Excess is refused where it begins: what follows is never looked at, however long it is.
///
/// Each text goes wrong once more at its very end, in a way that the parser would have to name
/// had it read on before it refused.
struct EarlyEndTests {
    /// How a text begins, what is repeated half a million times, how it ends; code and offset.
    @Test(
        arguments: [
            ("[", "1", "x]", .numberTooLong, 1), ("[-1.", "1", "x]", .numberTooLong, 1),
            ("[1e", "1", "x]", .numberTooLong, 1), ("{\"", "k", "\n\":1}", .keyTooLong, 1),
            ("{\"", "é", "\n\":1}", .keyTooLong, 1), ("{\"", "\\n", "\n\":1}", .keyTooLong, 1),
            ("", "[", "x", .tooDeep, 64), ("[", "1,", "x]", .tooManyNodes, 39_999),
            ("{\"a\":", "{\"a\":", "x", .tooDeep, 320),
        ] as [(String, String, String, JSONError.Code, Int)])
    func `excess ends the parse where it begins`(
        head: String, part: String, tail: String, code: JSONError.Code, offset: Int
    ) {
        refuse(head + String(repeating: part, count: 1 << 19) + tail, code, offset)
    }

    @Test func `too many keys end the parse where the first too many begins`() {
        let keys = (10_000..<60_000).map { "\"\($0)\":1," }.joined()
        refuse("{" + keys + "x}", .tooManyKeys, 1 + 1_000 * 10)
    }

    private func refuse(_ text: String, _ code: JSONError.Code, _ offset: Int) {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: text)
            Issue.record("the text was taken")
        } catch {
            #expect(error.code == code)
            #expect(error.offset == offset)
        }
    }

    @Test func `a number and a key at their limit are accepted right at the end of the text`()
        throws
    {
        let digits = String(repeating: "7", count: 64)
        #expect(try JSONDocument(parsing: digits).root.numberText == digits)
        let key = String(repeating: "k", count: 1_024)
        #expect(try JSONDocument(parsing: "{\"\(key)\":1}").root[key]?.int == 1)
    }
}
