import DeskCrypto
import Testing

/// Codes of authenticator apps against the values of RFC 6238.
struct TOTPTests {
    private static let secret = Array("12345678901234567890".utf8)

    // Appendix B has eight digits; six are the last six of them.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
            (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func `codes are the published ones`(second: Int64, code: String) {
        #expect(TOTP.code(of: Self.secret, step: TOTP.step(atSecond: second)) == code)
    }

    @Test func `a code is accepted one step early and one step late, and no further`() {
        let code = TOTP.code(of: Self.secret, step: 100)
        for (step, isAccepted) in [(98, false), (99, true), (100, true), (101, true), (102, false)]
            as [(Int64, Bool)]
        {
            let found = TOTP.acceptedStep(code, of: Self.secret, around: step, after: 0)
            #expect(found == (isAccepted ? 100 : nil), "\(step)")
        }
    }

    @Test func `no code of a step that was accepted, or of one before it, is accepted again`() {
        func accepted(_ step: Int64, after used: Int64) -> Int64? {
            TOTP.acceptedStep(
                TOTP.code(of: Self.secret, step: step), of: Self.secret, around: 100, after: used)
        }
        #expect(accepted(100, after: 99) == 100)
        #expect(accepted(100, after: 100) == nil)
        #expect(accepted(99, after: 100) == nil)
        #expect(accepted(101, after: 100) == 101)
    }

    @Test(arguments: ["", "00000", "0000000", "abcdef", "００００００"])
    func `what is no code is wrong`(text: String) {
        #expect(TOTP.acceptedStep(text, of: Self.secret, around: 100, after: 0) == nil)
    }

    @Test func `a step is 30 seconds, before 1970 as well`() {
        #expect(
            [-31, -30, -1, 0, 29, 30].map { TOTP.step(atSecond: $0) } == [-2, -1, -1, 0, 0, 1])
    }
}
