import DeskModel
import TestSupport
import Testing

@testable import DeskWeb

/// What a person types of a second factor, and how often it may be wrong.
struct SecondFactorProofTests {
    private static let account = AgentID(UniqueID(high: 1, low: 2))
    private static let other = AgentID(UniqueID(high: 1, low: 3))
    private static let device = Token.make().digest

    @Test(arguments: ["123456", "123 456", " 123-456\n", "１２３４５６", "123\u{3000}456", "12 34 56"])
    func `digits of an app are read however they are grouped`(text: String) {
        #expect(SecondFactorProof(typed: text, by: Self.account) == .code("123456"))
    }

    @Test(arguments: ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "123456!"])
    func `anything else is no proof`(text: String) {
        #expect(SecondFactorProof(typed: text, by: Self.account) == nil)
    }

    @Test func `a recovery code is read in either case, with and without hyphens`() {
        for code in RecoveryCode.makeAll(for: Self.account) {
            let bare = code.text.filter { $0 != "-" }
            #expect(code.text.count == 19 && bare.count == 16)
            for text in [code.text, bare, code.text.lowercased(), " \(bare) "] {
                #expect(SecondFactorProof(typed: text, by: Self.account) == .recovery(code.digest))
            }
            #expect(SecondFactorProof(typed: bare, by: Self.other) != .recovery(code.digest))
        }
    }

    @Test func `letters that a recovery code does not have are the digits they look like`() {
        let plain = SecondFactorProof(typed: "0101-ABCD-0000-1111", by: Self.account)
        #expect(plain != nil)
        #expect(SecondFactorProof(typed: "oiol-abcd-OOOO-ILil", by: Self.account) == plain)
    }

    @Test func `an account is given ten codes, none of which is another`() {
        let codes = RecoveryCode.makeAll(for: Self.account)
        #expect(Set(codes.map(\.text)).count == 10 && Set(codes.map(\.digest)).count == 10)
    }

    /// Whether a code may be looked at now.
    private func isLetIn(_ codes: CodeGuard, _ account: AgentID, device: Digest? = nil) -> Bool {
        do throws(Problem) {
            try codes.begin(account, device: device)
            return true
        } catch { return false }
    }

    @Test func `five wrong codes of an account are free, then the wait doubles to 900 seconds`() {
        let time = TestTime()
        let codes = CodeGuard(limits: WebLimits(), time: time.source, counters: LocalCounters())
        for _ in 0..<5 { #expect(isLetIn(codes, Self.account)) }
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            #expect(!isLetIn(codes, Self.account))
            time.advance(by: .milliseconds(wait * 1_000 - 1))
            #expect(!isLetIn(codes, Self.account))
            time.advance(by: .milliseconds(1))
            #expect(isLetIn(codes, Self.account), "\(wait)")
        }
        #expect(isLetIn(codes, Self.other))
    }

    @Test func `a right code ends the wait, and a known device has codes of its own`() {
        let time = TestTime()
        let codes = CodeGuard(limits: WebLimits(), time: time.source, counters: LocalCounters())
        for _ in 0..<5 { #expect(isLetIn(codes, Self.account)) }
        #expect(!isLetIn(codes, Self.account))
        #expect(isLetIn(codes, Self.account, device: Self.device))
        codes.noteRight(Self.account, device: Self.device)
        #expect(!isLetIn(codes, Self.account))
        codes.noteRight(Self.account, device: nil)
        for _ in 0..<5 { #expect(isLetIn(codes, Self.account)) }
    }
}
