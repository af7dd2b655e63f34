import DeskMessages
import DeskModel
import Testing

/// Interactive data on both sides of 10 KB.
struct BoundaryTests {
    private static let bid =
        #""bid":"com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:"#
        + #"com.apple.icloud.apps.messages.business.extension""#
    private static let question =
        bid + #","data":{"version":"1.0","requestIdentifier":"r","quick-reply":{"summaryText":"A","#
        + #""items":[{"identifier":"y","title":"Yes"},{"identifier":"n","title":"No"}]}}"#
    private static let answer =
        bid + #","data":{"version":"1.0","requestIdentifier":"r","quick-reply":{"selectedIndex":0,"#
        + #""selectedIdentifier":"y","items":[{"identifier":"y","title":"Yes"},"#
        + #"{"identifier":"n","title":"No"}]}}"#

    private func judge(
        _ direction: Direction, bytes: Int, profile: Profile = .strict, mode: Mode = .live,
        references: ReferenceIntake = .taken, beside: String = ""
    ) throws -> Judgement {
        let content = direction == .outbound ? Self.question : Self.answer
        let space = String(repeating: " ", count: bytes - content.utf8.count - 2)
        return try Corpus.rulebook.get().judge(
            Array(
                #"{"type":"interactive","interactiveData":{\#(space)\#(content)}\#(beside)}"#.utf8),
            JudgementContext(
                direction: direction, now: Corpus.now, profile: profile, mode: mode,
                references: references))
    }

    @Test(arguments: [Mode.live, .test], [10_241, 300_000, 4_100_000])
    func `a large message is announced and may be sent by any business`(
        mode: Mode, bytes: Int
    ) throws {
        for profile in Profile.allCases {
            let judgement = try judge(.outbound, bytes: bytes, profile: profile, mode: mode)
            #expect(judgement.findings.map(\.rule) == [.referenceExpected])
            #expect(judgement.findings.first?.severity == .info)
            #expect(judgement.findings.first?.actual == bytes)
            #expect(!judgement.isRefused)
        }
    }

    @Test(arguments: [(Profile.strict, Severity.error), (.lenient, .warning)])
    func `a large message to a recipient without references breaks a rule`(
        profile: Profile, severity: Severity
    ) throws {
        let judgement = try judge(
            .outbound, bytes: 10_241, profile: profile, references: .refused)
        #expect(judgement.findings.map(\.rule) == [.referenceBoundary])
        #expect(judgement.findings.map(\.severity) == [severity])
        #expect(judgement.findings.map(\.limit) == [10_240])
        #expect(judgement.isRefused == (severity == .error))
    }

    @Test(arguments: Profile.allCases)
    func `a large answer in place is accepted, and says how it would have come`(
        profile: Profile
    ) throws {
        let judgement = try judge(.inbound, bytes: 10_241, profile: profile)
        #expect(judgement.findings.map(\.rule) == [.referenceExpected])
        #expect(!judgement.isRefused)
    }

    @Test func `10 KB themselves travel in place`() throws {
        #expect(try judge(.outbound, bytes: 10_240, references: .refused).findings == [])
        #expect(try judge(.inbound, bytes: 10_240).findings == [])
    }

    @Test func `an answer may name its reference too`() throws {
        let judgement = try judge(
            .inbound, bytes: 20_000, profile: .lenient, beside: #","interactiveDataRef":{}"#)
        #expect(!judgement.findings.contains { $0.rule == .referenceExpected })
        #expect(!judgement.findings.contains { $0.rule == .dataAndReference })
    }
}
