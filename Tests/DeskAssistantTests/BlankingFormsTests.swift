import Testing

@testable import DeskAssistant

/// The forms in which people write what is blanked, beyond the plain ones of `BlankingTests`.
struct BlankingFormsTests {
    private static func blanked(_ text: String) -> String {
        var blanking = Blanking(Set(Blanking.Kind.allCases))
        return blanking.blank(text)
    }

    @Test(arguments: [
        ("4111,1111,1111,1111", "[card 1]"),
        ("5, 4111 1111 1111 1111, 7", "5, [card 1], 7"),
        ("4111 1111 1111 1111,5555555555554444", "[card 1],[card 2]"),
        ("4111\u{AD}1111\u{200D}1111\u{2003}1111", "[card 1]"),
        ("\u{202A}4111\u{200E} 1111\u{2005}1111\u{205F}1111\u{202C}", "\u{202A}[card 1]\u{202C}"),
        ("4111－1111－1111－1111", "[card 1]"), ("４１１１　１１１１　１１１１　１１１１", "[card 1]"),
        ("৪১১১ ১১১১ ১১১১ ১১১১", "[card 1]"), ("๔๑๑๑๑๑๑๑๑๑๑๑๑๑๑๑", "[card 1]"),
    ])
    func `cards are found between other separators and in other digits`(
        text: String, expected: String
    ) {
        #expect(Self.blanked(text) == expected)
    }

    @Test func `a card of digits as keys show them is blanked`() {
        let key = "\u{FE0F}\u{20E3}"
        let text = "4111111111111111".map { "\($0)\(key)" }.joined()
        #expect(Self.blanked(text) == "[card 1]\(key)")
    }

    @Test(arguments: [
        ("DE89 3704 0044 0532 0130 00", "[card 1]"),
        ("DE89370400440532013000", "[card 1]"),
        ("de89 3704 0044 0532 0130 00", "[card 1]"),
        ("IBAN: GB82 WEST 1234 5698 7654 32, please", "IBAN: [card 1], please"),
        ("IBANNO9386011117947", "IBAN[card 1]"),
        ("FR14-2004-1010-0505-0001-3M02-606", "[card 1]"),
        ("CH93 0076 2011 6238 5295 7 or SA03 8000 0000 6080 1016 7519", "[card 1] or [card 2]"),
        ("MT84 MALT 0110 0001 2345 MTLC AST0 01S.", "[card 1]."),
        ("ＤＥ８９３７０４００４４０５３２０１３０００", "[card 1]"),
        ("口座はDE89370400440532013000です", "口座は[card 1]です"),
        ("DE89\u{A0}3704\n0044 0532 0130 00", "[card 1]"),
        ("DE89 3704 0044 0532 0130 00 030 901820", "[card 1] [phone 1]"),
        ("DE89 3704 0044 0532 0130 00 4111 1111 1111 1111", "[card 1] [card 2]"),
        // A wrong check digit, an order's number, a word, a country that has none.
        ("GB82 WEST 1234 5698 7654 33", "GB82 WEST 1234 5698 7654 33"),
        ("order DE89-0001", "order DE89-0001"),
        ("XDE89370400440532013000", "XDE89370400440532013000"),
        ("DE89370400440532013000X", "DE89370400440532013000X"),
        ("US89 A", "US89 A"), ("DE", "DE"), ("DE8", "DE8"),
    ])
    func `numbers of bank accounts are blanked`(text: String, expected: String) {
        #expect(Self.blanked(text) == expected)
    }

    @Test func `numbers of bank accounts never come back`() {
        var blanking = Blanking([.cards])
        let blanked = blanking.blank("DE89 3704 0044 0532 0130 00")
        #expect(blanking.restore(blanked) == "[card 1]" && blanking.count(of: .cards) == 1)
        var phones = Blanking([.phones])
        #expect(phones.blank("DE89370400440532013000") == "DE89370400440532013000")
    }

    @Test(arguments: [
        ("ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍです", "[e-mail 1]です"),
        ("メール：ada＠example．com。", "メール：[e-mail 1]。"),
        ("ada﹫example.com", "[e-mail 1]"),
        ("info@日本語.jpです", "[e-mail 1]です"),
        ("info@sub.日本語.jp", "[e-mail 1]"),
        ("連絡先：田中@example.jp。", "連絡先：[e-mail 1]。"),
        ("用户@例子.中国", "[e-mail 1]"),
        ("ada@例え.テスト、どうぞ", "[e-mail 1]、どうぞ"),
        ("ada@example.com...", "[e-mail 1]..."),
        ("ada@example.co-", "[e-mail 1]-"),
        ("10 @ 3.50", "10 @ 3.50"), ("a@b.--", "a@b.--"), ("a@-.com", "a@-.com"),
        ("田中@東京", "田中@東京"),
    ])
    func `addresses are found in other scripts and beside them`(text: String, expected: String) {
        #expect(Self.blanked(text) == expected)
    }

    @Test(arguments: [
        "０３－１２３４－５６７８", "０９０ー１２３４ー５６７８", "０３（１２３４）５６７８", "(03)1234-5678", "0120-123-456",
        "+81 (0)3-1234-5678", "090.1234.5678", "09012345678", "090−1234−5678", "81-90-1234-5678",
        "81 3 1234 5678", "０５０　１２３４　５６７８", "090 - 1234 - 5678", "0\u{FE0F}\u{20E3}90-1234-5678",
    ])
    func `phone numbers are blanked as they are written in Japan`(number: String) {
        #expect(Self.blanked("電話 \(number)、") == "電話 [phone 1]、")
        #expect(Self.blanked("at \(number), please") == "at [phone 1], please")
    }

    @Test(arguments: [
        ("Tel. 555 1234", "Tel. [phone 1]"), ("phone: 612 345 678", "phone: [phone 1]"),
        ("電話：5551-234", "電話：[phone 1]"), ("電話番号は 612 345 678", "電話番号は [phone 1]"),
        ("☎\u{FE0F} 9123 4567", "☎\u{FE0F} [phone 1]"), ("📞91234567", "📞[phone 1]"),
        ("https://wa.me/4915112345679", "https://wa.me/[phone 1]"),
        ("Tel. 9.00 - 17.30", "Tel. 9.00 - 17.30"), ("hotel 5551234", "hotel 5551234"),
        ("phone 2026-11-24", "phone 2026-11-24"), ("call 20 times", "call 20 times"),
        ("order 612 345 678", "order 612 345 678"), ("9123 4567", "9123 4567"),
    ])
    func `a word or a sign for phones makes a number one that is none by itself`(
        text: String, expected: String
    ) {
        #expect(Self.blanked(text) == expected)
    }
}
