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
            for mode in [Mode.live, .test] {
                #expect(
                    gravity(rule.severity(.lenient, mode))
                        <= gravity(rule.severity(.strict, mode)))
            }
            for profile in Profile.allCases {
                #expect(
                    gravity(rule.severity(profile, .test))
                        <= gravity(rule.severity(profile, .live)))
            }
        }
    }

    @Test(arguments: RuleTable.groups.flatMap(\.rows).map(\.rule))
    func `a severity follows from what the channel does`(_ rule: Rule) throws {
        let row = try #require(RuleTable.groups.flatMap(\.rows).first { $0.rule == rule })
        #expect(!row.source.isEmpty && !row.source.hasSuffix("."))
        let severities = [Mode.live, .test].flatMap { mode in
            [row[.strict, mode], row[.lenient, mode]]
        }
        switch row.channel {
        case .refuses:
            // Plain http is for trying things out in a test business.
            #expect(row[.strict, .live] == .error && row[.lenient, .live] == .error)
        case .accepts: #expect(!severities.contains(.error))
        case .ignores, .fails:
            #expect(row[.lenient, .live] == .warning)
            #expect(row[.strict, .live] != .info)
        case .unknown, .none: #expect(row[.strict, .live] != nil)
        }
    }

    @Test func `every answer of the channel is in the table`() {
        let answers = Set(RuleTable.groups.flatMap(\.rows).map(\.channel))
        #expect(answers == Set(ChannelAnswer.allCases))
    }

    /// What a careful developer sees as an error, though a running client may get away with it.
    static let strictOnly: Set<Rule> = [
        .outOfRange, .businessForm, .textEmpty, .hexAsBase64, .dataAndReference,
        .referenceBoundary, .pictureNotBase64, .pictureTooLarge, .linkScheme, .slotWithoutOffset,
        .signInKeyForm,
        .formPageUnknown, .formWithoutEnd, .formDatesCrossed, .invitationLogo,
        .invitationLogoMissing,
    ]

    @Test func `the strict profile adds errors only where something else is seen than was meant`() {
        let found = Rule.allCases.filter {
            $0.severity(.strict, .live) == .error && $0.severity(.lenient, .live) != .error
        }
        #expect(Set(found) == Self.strictOnly)
    }

    @Test func `a legal message is never refused for what it only announces`() {
        let informing = Rule.allCases.filter { $0.severity(.strict, .live) == .info }
        #expect(informing == [.referenceExpected])
    }

    @Test(arguments: [
        Rule.oldSpelling, .unknownKey, .numberAsText, .identifierTwice, .slotPast,
        .placeholderCount, .paymentTotalDiffers, .slotNotUTC, .pictureUnknown, .tooLong,
    ])
    func `what running clients send and the channel accepts is a warning in every profile`(
        _ rule: Rule
    ) {
        for profile in Profile.allCases {
            #expect(rule.severity(profile, .live) == .warning)
        }
    }
}
