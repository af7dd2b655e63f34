import DeskMessages
import DeskModel
import FoundationEssentials
import Testing

struct RuleTableTests {
    @Test func `every rule has one line in the table`() {
        let rules = RuleTable.groups.flatMap(\.rows).map(\.rule)
        #expect(rules.count == Set(rules).count)
        #expect(Set(rules) == Set(Rule.allCases))
    }

    @Test func `the table in the docs is the one in the code`() throws {
        if ProcessInfo.processInfo.environment["FRONTDESK_RENDER"] != nil {
            let file = Corpus.root.appending(path: "docs/rules/README.md")
            try Data(RuleTable.markdown.utf8).write(to: file)
        }
        #expect(Corpus.text(at: "docs/rules/README.md") == RuleTable.markdown)
    }

    @Test func `the lenient profile is never stricter, a test business never than a live one`() {
        func gravity(_ severity: Severity?) -> Int {
            switch severity {
            case .error: 3
            case .warning: 2
            case .info: 1
            case nil: 0
            }
        }
        for rule in Rule.allCases {
            for world in [World.live, .test] {
                #expect(
                    gravity(rule.severity(.lenient, world))
                        <= gravity(rule.severity(.strict, world)))
            }
            for profile in Profile.allCases {
                #expect(
                    gravity(rule.severity(profile, .test))
                        <= gravity(rule.severity(profile, .live)))
            }
        }
    }

    @Test(arguments: [
        Rule.pictureUnknown, .identifierTwice, .envelopeDisagrees, .formPageUnknown,
        .formWithoutEnd, .formPageUnreachable, .slotNotUTC, .slotsOverlap,
        .paymentTotalNotPositive, .quickReplyCount, .appWithData, .paymentWithout3DS,
        .pictureNotBase64, .pictureUnreadable, .pictureTooLarge, .textTooLong, .capabilityMissing,
        .unknownKey, .oldSpelling, .missingKey, .wrongType, .wrongValue,
    ])
    func `what a device would refuse or show wrongly is an error in the strict profile`(
        _ rule: Rule
    ) {
        #expect(rule.severity(.strict, .live) == .error)
        #expect(rule.severity(.strict, .test) == .error)
    }

    @Test(arguments: [Rule.slotPast, .placeholderCount, .paymentTotalDiffers])
    func `what may be meant is a warning in every profile`(_ rule: Rule) {
        for profile in Profile.allCases {
            #expect(rule.severity(profile, .live) == .warning)
        }
    }

    @Test(arguments: [Rule.oldSpelling, .unknownKey, .numberAsText, .identifierTwice])
    func `what is seen in the wild is a warning in the lenient profile`(_ rule: Rule) {
        #expect(rule.severity(.lenient, .live) == .warning)
    }
}
