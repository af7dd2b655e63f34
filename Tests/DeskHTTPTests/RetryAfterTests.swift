import DeskHTTP
import DeskModel
import Testing

/// What an answer asks to wait, in either form of the field.
struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC.
    private static let now = Timestamp(seconds: 784_111_777)

    @Test(arguments: [
        ("0", 0), ("120", 120), ("86400", 86_400), ("86401", 86_400),
        ("99999999999999999999999", 86_400),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("Fri, 06 Nov 2093 08:49:37 GMT", 86_400),
    ])
    func `seconds and dates of HTTP are understood, up to a day`(text: String, seconds: Int64) {
        #expect(RetryAfter.wait(["Retry-After": text], at: Self.now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "+5", "1.5", "soon", "5 s", "2093-11-06T08:49:37Z"])
    func `what is neither asks for nothing`(text: String) {
        #expect(RetryAfter.wait(["Retry-After": text], at: Self.now) == nil)
    }

    @Test func `a field that is missing or repeated asks for nothing`() {
        #expect(RetryAfter.wait([:], at: Self.now) == nil)
        #expect(RetryAfter.wait(["Retry-After": "5", "retry-after": "9"], at: Self.now) == nil)
    }
}
