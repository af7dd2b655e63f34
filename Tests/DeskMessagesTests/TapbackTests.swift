import DeskMessages
import Testing

@Suite struct TapbackTests {
    @Test(arguments: [
        ("Liked \u{201C}See you at ten\u{201D}", Tapback.liked), ("Loved an image", .loved),
        ("Liked 1 Business Message", .liked), ("Laughed at \"so it is\"", .laughed),
        ("Removed a like from \u{201C}ten\u{201D}", .removed),
        ("Reacted \u{1F389} to \u{201C}done\u{201D}", .reacted),
        ("Removed \u{1F389} from \u{201C}done\u{201D}", .removed),
    ])
    func `a reaction's wording is recognised`(_ text: String, _ tapback: Tapback) {
        #expect(Tapback(text: text) == tapback)
    }

    @Test(arguments: [
        "Liked", "Liked it very much", "I liked \u{201C}that\u{201D}", "Loved your image",
        "Reacted to \u{201C}that\u{201D}", "Reacted badly to \u{201C}that\u{201D}",
        "Liked \u{201C}that\u{201D} and more", "",
    ])
    func `what a person wrote is no reaction`(_ text: String) {
        #expect(Tapback(text: text) == nil)
    }
}
