import DeskCrypto
import Testing

@testable import DeskAPI

struct PasswordTests {
    @Test(arguments: [
        ("correct horse battery", nil),
        ("14characters!!", PasswordRule.Refusal.tooShort(least: 15, actual: 14)),
        ("fifteen letters", nil),
        (String(repeating: "xyzzy plugh ", count: 22), .tooLong(most: 256, actual: 264)),
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
        let rule = PasswordRule(limits: APILimits())
        #expect(
            rule.refusal(of: password, names: ["Ada", "ada.lovelace@example.com"]) == refusal)
    }

    @Test func `the same password has another text each time, and only it fits`() async throws {
        let lane = PasswordLane(
            limits: APILimits(), scrypt: Scrypt(cost: 2, blockSize: 1, parallelism: 1))
        let first = try await lane.hash("one")
        let second = try await lane.hash("one")
        #expect(first != second)
        #expect(try await lane.matches("one", stored: first))
        #expect(try await lane.matches("one ", stored: first) == false)
        #expect(try await lane.matches("one", stored: nil) == false)
        #expect(try await lane.matches("one", stored: "scrypt$2$1$1$AA") == false)
    }

    @Test func `beyond two at work and sixteen in the queue the answer is 503`() async throws {
        var limits = APILimits()
        limits.passwordsAtOnce = 1
        limits.passwordQueue = 1
        let lane = PasswordLane(
            limits: limits, scrypt: Scrypt(cost: 1 << 14, blockSize: 8, parallelism: 4))
        let codes: [ProblemCode?] = await withTaskGroup(of: ProblemCode?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(Problem) {
                        _ = try await lane.hash("one")
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.contains(nil))
        #expect(codes.contains(.unavailable))
    }
}
