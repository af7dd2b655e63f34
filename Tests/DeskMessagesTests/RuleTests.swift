import DeskBytes
import DeskJSON
import DeskModel
import FoundationEssentials
import TestSupport
import Testing

@testable import DeskMessages

struct RuleTests {
    @Test(arguments: Rule.allCases)
    func `a rule has a page that states its severity as the code does`(_ rule: Rule) throws {
        let page = try #require(Corpus.text(at: "docs/rules/\(rule.id).md"))
        for profile in Profile.allCases {
            let row = try #require(
                RuleTable.groups.flatMap(\.rows).first { $0.rule == rule })
            let words = RuleTable.words(row, profile)
            #expect(page.contains("| \(profile.rawValue) | \(words) |"))
        }
        let title = rule.title.prefix(1).lowercased() + rule.title.dropFirst()
        #expect(
            page.hasPrefix("# \(rule.id): \(title)\n")
                || page.hasPrefix("# \(rule.id): \(rule.title)\n"))
    }

    @Test func `every page is of a rule`() throws {
        let others = [
            "README", "malformed-json", "request-missing", "request-unknown", "request-type",
            "request-value",
        ]
        let folder = Corpus.root.appending(path: "docs/rules")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let pages = names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
        #expect(Set(pages).subtracting(others) == Set(Rule.allCases.map(\.id)))
        #expect(names.allSatisfy { $0.hasSuffix(".md") })
    }

    /// Rules whose breach is too large for an example file, or depends on more than the payload;
    /// each has a test of its own in this folder.
    static let triggeredInCode: Set<Rule> = [
        .envelopeDisagrees, .envelopeIncomplete, .pictureTooLarge, .appURLTooLong,
        .referenceBoundary, .referenceExpected, .schemaMismatch,
    ]

    @Test func `every rule is triggered by an example or by a test of its own`() {
        let triggered = Set(Example.all.flatMap(\.findings).map(\.rule))
        let missing = Set(Rule.allCases.map(\.id)).subtracting(triggered)
        #expect(missing == Set(Self.triggeredInCode.map(\.id)))
    }

    @Test(arguments: [1, 4_097, 10_000, 1_000_000])
    func `a text is as long as the payload lets it be`(_ count: Int) throws {
        for letter in ["a", "\u{1F600}"] where count < 1_000_000 || letter == "a" {
            let text = String(repeating: letter, count: count)
            #expect(try judge(#"{"type":"text","body":"\#(text)"}"#).findings.isEmpty)
        }
    }

    @Test(arguments: [
        (
            "outbound/list-picker/valid-two-sections", #""identifier":"#, "multipleSelection",
            #"Move "multipleSelection" to /interactiveData/data/listPicker/sections/0, or remove it: here it has no effect."#
        ),
        (
            "outbound/text/valid-emoji", #""type":"#, "requestIdentifier",
            #"Remove "requestIdentifier": no part of this message has a key of this name."#
        ),
    ])
    func `an unknown key is said to have no effect, with the place that it belongs in`(
        _ example: String, _ neighbour: String, _ key: String, _ fix: String
    ) throws {
        let text = try String(decoding: Corpus.payload(example), as: UTF8.self)
        let posted = text.replacing(
            neighbour, with: #""\#(key)": true, \#(neighbour)"#, maxReplacements: 1)
        #expect(posted != text)
        let findings = try judge(posted).findings.filter { $0.rule == .unknownKey }
        #expect(findings.map(\.fix) == [fix])
        #expect(findings.allSatisfy { $0.edits.count == 1 })
    }

    @Test func `the first version of a sign-in is better with its client's secret`() throws {
        let text = try String(
            decoding: Corpus.payload("outbound/authentication/valid-key"), as: UTF8.self)
        let posted = text.replacing(#""clientSecret": "secret""#, with: #""clientSecret": null"#)
        #expect(posted != text)
        #expect(try judge(posted).findings.map(\.rule) == [.memberAdvised])
    }

    @Test func `of many slips of one kind some are reported, and they hide no error`() throws {
        let items = (0..<900).map { #"{"identifier":"\#($0)","title":"a","price":1,"stock":2}"# }
        func list(_ last: String) -> String {
            #"{"type":"interactive","interactiveData":{"bid":"\#(Judging.appleBid)","data":"#
                + #"{"version":"1.0","requestIdentifier":"r","listPicker":{"sections":"#
                + #"[{"title":"a","items":[\#(items.joined(separator: ",")),\#(last)]}]}},"#
                + #""receivedMessage":{"title":"a"}}}"#
        }
        let taken = try judge(list(#"{"identifier":"z","title":"a"}"#))
        #expect(!taken.isRefused)
        #expect(taken.findings.count == 100)
        #expect(Set(taken.findings.map(\.rule)) == [.referenceExpected, .unknownKey, .tooMany])
        let refused = try judge(list(#"{"identifier":"z","title":7}"#))
        #expect(refused.errors.map(\.rule) == [.wrongType])
    }

    @Test(arguments: [
        ("no", 0, true), ("\u{FFFC}", 1, true), (#"\ufffc\uFFFC"#, 2, true),
        ("\u{FFFC}\u{301}", 1, true), ("\u{FFFC}", 0, false), ("", 1, false),
        (String(repeating: "\u{FFFC}", count: 4_000), 4_000, true),
    ])
    func `placeholders are counted as scalars, escaped or not`(
        _ body: String, _ attachments: Int, _ agrees: Bool
    ) throws {
        var context = JudgementContext(direction: .outbound, now: Corpus.now)
        context.attachmentCount = attachments
        let findings = try judge(#"{"type":"text","body":"\#(body)"}"#, context).findings
        #expect(findings.map(\.rule) == (agrees ? [] : [.placeholderCount]))
    }

    @Test func `a rich link's picture may have 200,000 bytes`() throws {
        let head = "iVBORw0KGgoAAAANSUhEUgAA"
        for (bytes, rules) in [(199_998, []), (200_001, [Rule.pictureTooLarge])] {
            let picture = head + String(repeating: "A", count: bytes / 3 * 4 - head.utf8.count)
            let json =
                #"{"type":"richLink","richLinkData":{"url":"https://a.example","title":"A","#
                + #""assets":{"image":{"data":"\#(picture)","mimeType":"image/png"}}}}"#
            #expect(try judge(json).findings.map(\.rule) == rules)
        }
    }

    @Test(arguments: PictureBytes.allForms)
    func `a picture in a payload may state 40,000,000 pixels`(form: PictureBytes.Form) throws {
        for (height, rules) in [(5_000, []), (5_001, [Rule.pictureTooLarge])] {
            let picture = Base64.encode(form.make(8_000, height))
            let json =
                #"{"type":"richLink","richLinkData":{"url":"https://a.example","title":"A","#
                + #""assets":{"image":{"data":"\#(picture)","mimeType":"image/png"}}}}"#
            let findings = try judge(json).findings.filter { $0.rule == .pictureTooLarge }
            #expect(findings.map(\.rule) == rules)
            #expect(findings.first?.actual ?? 40_008_000 == 40_008_000)
        }
    }

    @Test func `an app's URL may have 65,536 bytes`() throws {
        for (count, rules) in [(65_536, []), (65_537, [Rule.appURLTooLong])] {
            let url = "?" + String(repeating: "a", count: count - 1)
            #expect(try judge(app(url: url)).findings.map(\.rule) == rules)
        }
        let empty = try #require(try judge(app(url: "")).findings.first)
        #expect(empty.rule == .tooShort)
        #expect(empty.pointer == "/interactiveData/URL")
        #expect(empty.fix == "It must not be empty.")
        // 32,769 letters of two bytes are few characters and too many bytes.
        let wide = String(repeating: "é", count: 32_769)
        #expect(try judge(app(url: wide)).findings.map(\.rule) == [.appURLTooLong])
    }

    @Test func `an empty title and a network named twice are found`() throws {
        let item = #"{"identifier":"a","title":""}"#
        #expect(try judge(list([item])).findings.map(\.rule) == [.titleEmpty])
        let payment = String(
            decoding: try Corpus.payload("outbound/payment/valid-plain"), as: UTF8.self)
        let twice = payment.replacing(#""amex""#, with: #""visa""#)
        #expect(try judge(twice).findings.map(\.rule) == [.notUnique])
    }

    @Test(
        arguments: [
            (Mode.test, "http://127.0.0.1:8080", false), (.test, "http://127.0.0.1:808", true),
            (.test, "http://127.0.0.1:8081", true), (.test, nil, true),
            (.live, "http://127.0.0.1:8080", true),
        ] as [(Mode, String?, Bool)])
    func `only a test business may name the server's own test merchant without encryption`(
        _ mode: Mode, _ origin: String?, _ isFound: Bool
    ) throws {
        let text = try Corpus.payload("outbound/payment/valid-http-test-business")
        let context = JudgementContext(
            direction: .outbound, now: Corpus.now, mode: mode, plainOrigin: origin)
        let rules = try Corpus.rulebook.get().judge(text, context).findings.map(\.rule)
        #expect(rules == (isFound ? [.paymentEndpointNotHTTPS] : []))
    }

    @Test func `two shapes at once match none`() throws {
        let link = String(
            decoding: try Corpus.payload("outbound/rich-link/valid-picture"), as: UTF8.self)
        let both = link.replacing(
            #""richLinkData":"#,
            with:
                #""richLinkDataRef":{"url":"https://a.example/1","owner":"M","key":"00","size":1,"#
                + #""signature-base64":"AA=="},"richLinkData":"#)
        #expect(try judge(both).findings.map(\.rule) == [.schemaMismatch])
    }

    @Test(
        arguments: [
            (
                "inbound/time-picker-reply/valid-place", #""title": "Main Street 1" }"#,
                #""title": "A", "latitude": 356, "longitude": 1 }"#,
                "out-of-range /interactiveData/data/event/location/latitude"
            ),
            (
                "outbound/form/valid-three-pages", #""inputType": "multiline""#,
                #""inputType": "many""#,
                "value-ignored /interactiveData/data/dynamic/data/pages/1/options/inputType"
            ),
            (
                "outbound/attachments/valid-picture", #""signature-base64""#,
                #""signature-base32""#,
                "unknown-key /attachments/0/signature-base32"
            ),
            (
                "outbound/rich-link/valid-picture", #""richLinkData""#, #""richlinkdata""#,
                "unknown-key /richlinkdata"
            ),
        ] as [(String, String, String, String)])
    func `of alternatives the one that was meant is reported, not all of them`(
        _ example: String, _ right: String, _ wrong: String, _ finding: String
    ) throws {
        let text = String(decoding: try Corpus.payload(example), as: UTF8.self)
        var context = JudgementContext(
            direction: example.hasPrefix("inbound") ? .inbound : .outbound, now: Corpus.now)
        context.profile = .strict
        let findings = try judge(text.replacing(right, with: wrong), context).findings
        let received = findings.map { "\($0.rule.id) \($0.pointer)" }
        #expect(received.contains(finding))
        #expect(findings.filter { $0.rule != .missingKey }.count == 1)
        #expect(findings.count <= 2, "\(received)")
    }

    @Test(arguments: Profile.allCases)
    func `a hundred slips are reported, and behind thousands of them no error hides`(
        profile: Profile
    ) throws {
        let context = JudgementContext(direction: .outbound, now: Corpus.now, profile: profile)
        for (count, rules) in [(2, []), (3, [Rule.schemaMismatch])] {
            let items = (0..<count).map { item in
                let keys = (0..<900).map { #""\#(item)-\#($0)":\#($0)"# }.joined(separator: ",")
                return #"{"identifier":"\#(item)","title":"a",\#(keys)}"#
            }
            let many = try judge(list(items), context)
            #expect(many.warnings.count == 100)
            #expect(many.errors.map(\.rule) == rules)
        }
    }

    @Test func `lines and columns are counted as the parser counts them`() throws {
        let json = "{\r\n\"type\":\"text\",\r\"é日😀\":1,\n\n \"body\":\"é\",  \"b\":2}"
        let judgement = try judge(json)
        let document = try #require(judgement.document)
        #expect(judgement.findings.count == 2)
        for finding in judgement.findings {
            let position = document.position(at: finding.start)
            #expect(finding.line == position.line && finding.column == position.column)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the worst payload of four megabytes is judged in a moment`() throws {
        let pad = String(repeating: "a", count: 3_900_000)
        let items = (0..<4_000).map { _ in #"{"identifier":"i","title":"","order":"0"}"# }
        let start = ContinuousClock.now
        let judgement = try judge(list([#"{"identifier":"\#(pad)","title":"a"}"#] + items))
        #expect(judgement.warnings.count == 100)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    private func judge(
        _ json: String,
        _ context: JudgementContext = JudgementContext(direction: .outbound, now: Corpus.now)
    ) throws -> Judgement {
        try Corpus.rulebook.get().judge(Array(json.utf8), context)
    }

    private func app(url: String) -> String {
        #"{"type":"interactive","interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBallo"#
            + #"onPlugin:AB12CD34EF:com.example.app","appId":1,"appName":"A","URL":"\#(url)","#
            + #""receivedMessage":{"title":"A"}}}"#
    }

    private func list(_ items: [String]) -> String {
        #"{"type":"interactive","interactiveData":{"bid":"com.apple.messages.MSMessageExtensionBallo"#
            + #"onPlugin:0000000000:com.apple.icloud.apps.messages.business.extension","data":{"#
            + #""version":"1.0","requestIdentifier":"r","listPicker":{"sections":[{"title":"S","#
            + #""items":[\#(items.joined(separator: ","))]}]}},"receivedMessage":{"title":"A"}}}"#
    }
}
