import Testing

@testable import DeskAssistant

/// Numbers and addresses with marks, scripts and words of which nothing may be left.
struct BlankingMarksTests {
    private static func blanked(
        _ text: String, _ kinds: Set<Blanking.Kind> = Set(Blanking.Kind.allCases)
    ) -> String {
        var blanking = Blanking(kinds)
        return blanking.blank(text)
    }

    @Test(arguments: [
        "4111, 1111, 1111, 1111", "4111:1111:1111:1111", "4111; 1111; 1111; 1111",
        "4111|1111|1111|1111", "4111*1111*1111*1111", "4111~1111~1111~1111",
        "4111'1111'1111'1111", "4111’1111’1111’1111", "4111、1111、1111、1111",
        "4111〜1111〜1111〜1111", "`4111` `1111` `1111` `1111", "4111    1111    1111    1111",
        "4111 -- 1111 -- 1111 -- 1111", "4111\u{2028}1111\u{2028}1111\u{2028}1111",
        "4111\u{2001}1111\u{2001}1111\u{2001}1111", "4111\u{2061}1111\u{2061}1111\u{2061}1111",
        "4111•1111•1111•1111", "4111\n\n\n\n1111\n1111\n1111",
    ])
    func `a card is found in its groups with any marks between them`(number: String) {
        let blanked = Self.blanked("It is \(number), thanks")
        #expect(blanked.contains("[card 1]") && !blanked.contains("1111"), "\(blanked)")
    }

    @Test(arguments: [
        "𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏", "𝟺𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷", "೪೧೧೧ ೧೧೧೧ ೧೧೧೧ ೧೧೧೧", "౪౧౧౧౧౧౧౧౧౧౧౧౧౧౧౧",
        "൪൧൧൧൧൧൧൧൧൧൧൧൧൧൧൧", "੪੧੧੧੧੧੧੧੧੧੧੧੧੧੧੧", "၄၁၁၁ ၁၁၁၁ ၁၁၁၁ ၁၁၁၁", "៤១១១ ១១១១ ១១១១ ១១១១",
        "໔໑໑໑໑໑໑໑໑໑໑໑໑໑໑໑",
    ])
    func `a card is found in digits of every script`(number: String) {
        #expect(Self.blanked("\(number).") == "[card 1].")
    }

    @Test(arguments: [
        ("105 4111 1111 1111 1111", "105 [card 1]"),
        ("90: 4111 1111 1111 1111: 90", "90: [card 1]: 90"),
        ("4111 1111 1111 1111 4111-1111-1111-1111 4111111111111111", "[card 1] [card 1] [card 1]"),
        ("DE89370400440532013000 or DE89 3704 0044 0532 0130 00", "[card 1] or [card 1]"),
    ])
    func `a card is its groups, whatever stands before it, and the same however it is grouped`(
        text: String, expected: String
    ) {
        #expect(Self.blanked(text) == expected)
    }

    @Test(arguments: [
        "28/11/2026 - 30/11/2026", "2026-11-28 09:14:05, 2026-11-29 10:15:06",
        "09:30, 10:00, 10:30, 11:00, 11:30", "1,234,567,890,123.00", "12 pcs@3.50", "100@30.50",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", "2023, 2024, 2025, 2026",
        "automóvil 2026123", "order no. 5551234", "serial number: 5551234",
    ])
    func `spans of days, times, lists and prices stay`(text: String) {
        #expect(Self.blanked(text) == text)
    }

    @Test(arguments: ["+86-138-1234-5678", "+8613812345678", "+62 812 3456 78901"])
    func `a number behind a plus sign is a phone's, which comes back`(number: String) {
        var blanking = Blanking(Set(Blanking.Kind.allCases))
        let blanked = blanking.blank("at \(number), please")
        #expect(blanked == "at [phone 1], please")
        #expect(blanking.restore(blanked) == "at \(number), please")
    }

    @Test(arguments: [
        ("Phone number: 12345678", "Phone number: [phone 1]"),
        ("my phone is 5551234", "my phone is [phone 1]"),
        ("mobile phone number is 5551234", "mobile phone number is [phone 1]"),
        ("Fax no. 5551234", "Fax no. [phone 1]"), ("teléfono 3331234567", "teléfono [phone 1]"),
        ("Teléfono: 612345678", "Teléfono: [phone 1]"), ("电话：87654321", "电话：[phone 1]"),
        ("전화 1012345678", "전화 [phone 1]"), ("Телефон 1234567", "Телефон [phone 1]"),
        ("0120・444・444", "[phone 1]"), ("090•1234•5678", "[phone 1]"),
    ])
    func `a number that words call a phone's is blanked`(text: String, expected: String) {
        #expect(Self.blanked(text) == expected)
    }

    @Test(arguments: [
        ("ad\u{AD}a@example.com", "[e-mail 1]"), ("ada@exam\u{200B}ple.com", "[e-mail 1]"),
        ("ada@\u{200B}example.com", "[e-mail 1]"), ("ada\u{2060}@example.com", "[e-mail 1]"),
        ("\u{200E}ada@example.com\u{200E}", "\u{200E}[e-mail 1]\u{200E}"),
        ("ada@sub_domain.example.com", "[e-mail 1]"), ("_ada@example.com_", "[e-mail 1]_"),
        ("ada@example。com", "[e-mail 1]"), ("ada@example.com。では", "[e-mail 1]。では"),
        ("עדה@example.co.il", "[e-mail 1]"), ("علي@مثال.مصر، شكرا", "[e-mail 1]، شكرا"),
        ("אני ada@example.comשלום", "אני [e-mail 1]שלום"),
        ("ada@example.com.I wait", "[e-mail 1].I wait"),
        ("ada@example.com.2 of", "[e-mail 1].2 of"),
    ])
    func `of an address nothing is left`(text: String, expected: String) {
        #expect(Self.blanked(text) == expected)
    }
}
