import DeskMessages
import Testing

struct TapbackSentenceTests {
    @Test(arguments: Tapback.allCases, ["en_US", "ja_JP", "fr_FR"])
    func `what a device sends for a reaction is recognised as it`(
        tapback: Tapback, locale: String
    ) {
        #expect(Tapback(text: tapback.sentence(about: "Hi", locale: locale)) == tapback)
        #expect(Tapback(text: tapback.sentence(about: nil, locale: locale)) == tapback)
    }

    @Test func `any emoji is a reaction`() {
        #expect(Tapback(text: Tapback.sentence("🎉", about: "Hi")) == .reacted)
        #expect(Tapback(text: Tapback.sentence("🎉", about: nil)) == .reacted)
    }
}
