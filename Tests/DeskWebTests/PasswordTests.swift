import DeskCrypto
import Testing

@testable import DeskWeb

struct PasswordTests {
    @Test(arguments: [
        ("correct horse battery", nil),
        ("14characters!!", PasswordRule.Refusal.tooShort(least: 15, actual: 14)),
        ("fifteen letters", nil),
        (String(repeating: "xyzzy plugh ", count: 21) + "abcd", nil),
        (
            String(repeating: "xyzzy plugh ", count: 21) + "abcde",
            .tooLong(most: 256, actual: 257)
        ),
        ("passwordpassword", .repetitive),
        ("Password1Password2", .common),
        ("P4ssw0rdQwerty2024!", .common),
        ("iloveyouforever123", .common),
        ("aaaaaaaaaaaaaaaaaaaa", .repetitive),
        ("abcabcabcabcabcabc", .repetitive),
        ("abcdefghijklmnopqrs", .repetitive),
        ("ada.lovelace@example.com1", .namesPerson),
        ("日本語のとても長いパスワードです", nil),
    ])
    func `a password is judged`(password: String, refusal: PasswordRule.Refusal?) {
        let rule = PasswordRule(limits: WebLimits())
        #expect(
            rule.refusal(of: password, names: ["Ada", "ada.lovelace@example.com"]) == refusal)
    }

    @Test func `the same password has another text each time, and only it fits`() async throws {
        let queue = PasswordQueue(
            limits: WebLimits(), scrypt: Scrypt(cost: 2, blockSize: 1, parallelism: 1))
        let first = try await queue.hash("one")
        let second = try await queue.hash("one")
        #expect(first != second)
        #expect(try await queue.matches("one", stored: first))
        #expect(try await queue.matches("one ", stored: first) == false)
        #expect(try await queue.matches("one", stored: nil) == false)
        #expect(try await queue.matches("one", stored: "scrypt$2$1$1$AA") == false)
    }
}
