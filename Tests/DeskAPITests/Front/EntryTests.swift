import DeskModel
import Testing

@testable import DeskAPI

struct EntryTests {
    private let business = Business(
        id: BusinessID(UniqueID(high: 1, low: 2)), name: "Blue <&> Co.", colour: "#000000",
        mode: .live, createdAt: Timestamp(seconds: 0))

    @Test func `a link carries intent, group and text, escaped once`() {
        let link = EntryLink(
            id: "a", business: business.id, label: "Poster", intent: "sales & more", group: "é",
            body: "Hi?")
        #expect(
            link.address(origin: "http://h")
                == "http://h/b/\(business.id.text)?biz-intent-id=sales%20%26%20more"
                + "&biz-group-id=%C3%A9&body=Hi%3F")
    }

    @Test func `the permanent link is the bare address`() {
        let link = EntryLink.permanent(of: business)
        #expect(link.address(origin: "http://h") == "http://h/b/\(business.id.text)")
    }

    @Test func `a button never holds the name as markup`() {
        let link = EntryLink.permanent(of: business)
        let snippet = link.buttonSnippet(origin: "http://h", businessName: business.name)
        #expect(snippet.contains("Message Blue &lt;&amp;&gt; Co."))
        #expect(!snippet.contains("Blue <"))
    }

    @Test(arguments: ["lower", "spaced", "bare"])
    func `a typed code is read however it is typed`(how: String) throws {
        let code = JoinCodeText(id: "x", key: [1, 2, 3])
        let typed =
            switch how {
            case "lower": code.typed.lowercased()
            case "spaced": " " + code.locator + " " + code.proof + " "
            default: code.locator + code.proof
            }
        let read = try #require(JoinCodeText.read(typed))
        #expect(read.locator == code.locator && read.proof == code.proof)
    }

    @Test func `digits that look like letters are read as them`() throws {
        let read = try #require(JoinCodeText.read("01801-abc22"))
        #expect(read.locator == "OIBOI" && read.proof == "ABC22")
    }

    @Test(arguments: ["", "ABCDE", "ABCDE-FGHJKM", "ABCDE-FGHJ!", "ABCDE-FGHJÉ", "ABCDE-FGHJ9"])
    func `anything else is no code`(typed: String) {
        #expect(JoinCodeText.read(typed) == nil)
    }

    @Test func `codes of two names, or of two keys, differ`() {
        let codes = [
            JoinCodeText(id: "x", key: [1]), JoinCodeText(id: "y", key: [1]),
            JoinCodeText(id: "x", key: [2]),
        ]
        #expect(Set(codes.map(\.link)).count == 3)
        #expect(codes.allSatisfy { $0.link.utf8.count == 43 && $0.typed.utf8.count == 11 })
    }
}
