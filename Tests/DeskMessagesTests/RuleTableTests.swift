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

    /// What a message owes, in words, with the rules that ask for it and their severity in the
    /// strict profile.
    static let owed: [(what: String, rules: [Rule], severity: Severity)] = [
        ("picture identifiers resolve", [.pictureUnknown, .pictureIdentifierEmpty], .error),
        ("identifiers unique per list", [.identifierTwice, .notUnique], .error),
        ("U+FFFC count and attachments", [.placeholderCount], .warning),
        ("envelope and header agree", [.envelopeDisagrees, .envelopeIncomplete], .error),
        ("a form starts, and no page dangles", [.formPageUnknown], .error),
        ("a form's end is reachable", [.formWithoutEnd], .error),
        ("no page of a form is unreachable", [.formPageUnreachable], .error),
        ("slots in UTC, not overlapping", [.slotNotUTC, .slotsOverlap], .error),
        ("past slots", [.slotPast], .warning),
        ("payment total positive", [.paymentTotalNotPositive], .error),
        ("payment total equal to its lines", [.paymentTotalDiffers], .warning),
        ("two to five quick replies", [.quickReplyCount], .error),
        ("apps carry no data", [.appWithData], .error),
        ("merchantCapabilities has 3DS", [.paymentWithout3DS], .error),
        (
            "base64 decodes and is a picture of an allowed type and size",
            [
                .pictureNotBase64, .pictureUnreadable, .pictureTypeDiffers, .pictureTooLarge,
                .hexAsBase64,
            ], .error
        ),
        ("text limits in characters and bytes", [.textTooLong, .tooLong, .textEmpty], .error),
        ("feature within the capability list", [.capabilityMissing], .error),
        ("the 10 KB reference boundary announced", [.referenceBoundary], .error),
        ("current names, known keys", [.oldSpelling, .unknownKey], .error),
        ("what the schema asks", [.missingKey, .wrongType, .wrongValue, .wrongForm], .error),
    ]

    @Test(arguments: owed)
    func
        `what a message owes is an error in the strict profile, or a warning where it may be meant`(
            what: String, rules: [Rule], severity: Severity
        )
    {
        for rule in rules {
            #expect(rule.severity(.strict, .live) == severity, "\(what)")
            #expect(rule.severity(.strict, .test) == severity, "\(what)")
        }
    }

    @Test func `a legal message is never refused for what it only announces`() {
        let informing = Rule.allCases.filter { $0.severity(.strict, .live) == .info }
        #expect(informing == [.referenceExpected])
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
