import TestSupport
import Testing

@testable import DeskAssistant

struct BlankingTests {
    private static let all = Set(Blanking.Kind.allCases)

    private static func blanked(_ text: String, _ kinds: Set<Blanking.Kind> = all) -> String {
        var blanking = Blanking(kinds)
        return blanking.blank(text)
    }

    @Test(arguments: [
        ("4111 1111 1111 1111", "[card 1]"),
        ("4111111111111111", "[card 1]"),
        ("4111-1111-1111-1111", "[card 1]"),
        ("My card is 5555 5555 5555 4444, thanks", "My card is [card 1], thanks"),
        ("Amex 3782 822463 10005.", "Amex [card 1]."),
        ("4222222222222", "[card 1]"),
        ("6011 0000 0000 0000 04 has 18 digits", "[card 1] has 18 digits"),
        ("６０１１１１１１１１１１１１１７", "[card 1]"),
        ("4111\u{A0}1111\u{A0}1111\u{A0}1111", "[card 1]"),
        ("4111 1111 1111 1111 12/27 123", "[card 1] 12/27 123"),
        ("4111 1111 1111 1111 and 5555555555554444", "[card 1] and [card 2]"),
        ("4111 1111 1111 1111, again 4111 1111 1111 1111", "[card 1], again [card 1]"),
        ("カードは4111111111111111です", "カードは[card 1]です"),
        ("no4111111111111111no", "no[card 1]no"),
        ("4111 1111\n1111 1111", "[card 1]"),
        ("4111\t1111\t1111\t1111", "[card 1]"),
        ("4111\r\n1111\r\n1111\r\n1111", "[card 1]"),
        ("3782\n822463\n10005", "[card 1]"),
        ("4111_1111_1111_1111", "[card 1]"),
        ("4111·1111·1111·1111", "[card 1]"),
        ("4111\u{2007}1111\u{2009}1111\u{200B}1111", "[card 1]"),
        ("4111—1111―1111─1111", "[card 1]"),
        ("4111\u{FF70}1111\u{FF70}1111\u{FF70}1111", "[card 1]"),
        ("٤١١١ ١١١١ ١١١١ ١١١١", "[card 1]"),
        ("۴۱۱۱۱۱۱۱۱۱۱۱۱۱۱۱", "[card 1]"),
        ("4111111111111111\n5555555555554444", "[card 1]\n[card 2]"),
    ])
    func `numbers of cards are blanked`(text: String, expected: String) {
        #expect(Self.blanked(text, [.cards]) == expected)
    }

    @Test(arguments: [
        "4111 1111 1111 1112", "0000 0000 0000 0000", "123456789012", "order 20261124-000123",
        "41111111111111111111", "2026-11-24 09:14:05", "1,234,567.89", "",
        // The digits of a card, but no card's groups, in lines of their own.
        "411\n11111\n111111\n11", "41\n11\n11\n11\n11\n11\n11\n11",
    ])
    func `what is no number of a card stays`(text: String) {
        #expect(Self.blanked(text, [.cards]) == text)
    }

    @Test(arguments: [
        ("Write to ada@example.com.", "Write to [e-mail 1]."),
        ("<ada.lovelace+tea@mail.example.co.uk>", "<[e-mail 1]>"),
        ("メールはa@b.jpです", "メールは[e-mail 1]です"),
        ("a@b.co,c@d.org", "[e-mail 1],[e-mail 2]"),
        ("mailto:ada@example.com?subject=x", "mailto:[e-mail 1]?subject=x"),
        ("ada@example.com and ada@example.com", "[e-mail 1] and [e-mail 1]"),
        ("x ...ada@example.com", "x ...[e-mail 1]"),
        ("ada@@example.com", "ada@@example.com"),
        ("see you @ the shop", "see you @ the shop"),
        ("ada@localhost", "ada@localhost"),
        ("@example.com", "@example.com"),
        ("ada@example.c", "ada@example.c"),
        ("a@b..com", "a@b..com"),
        ("to ada＠example.com", "to [e-mail 1]"),
        ("ada@müller.de, please", "[e-mail 1], please"),
        ("jörg@example.de", "[e-mail 1]"),
        ("почта@пример.рф", "[e-mail 1]"),
        ("3×a@example.com", "3×[e-mail 1]"),
        ("ada@example.é", "ada@example.é"),
    ])
    func `e-mail addresses are blanked`(text: String, expected: String) {
        #expect(Self.blanked(text, [.emails]) == expected)
    }

    @Test(arguments: [
        ("+49 30 901820", "[phone 1]"),
        ("Ring +1 (555) 123-4567 today", "Ring [phone 1] today"),
        ("＋８１ ９０ １２３４ ５６７８", "[phone 1]"),
        ("電話は03-1234-5678です", "電話は[phone 1]です"),
        ("090-1234-5678", "[phone 1]"),
        ("0301 2345678", "[phone 1]"),
        ("(0301) 2345678", "[phone 1]"),
        ("0049 30 901820", "[phone 1]"),
        ("555-123-4567", "[phone 1]"),
        ("0151 23456789", "[phone 1]"),
        ("090-1234-5678 / 080-8765-4321", "[phone 1] / [phone 2]"),
        ("2026-11-20 090-1234-5678", "2026-11-20 [phone 1]"),
        ("090-1234-5679 2026-11-20", "[phone 1] 2026-11-20"),
        ("4111 1111 1111 1111 090-1234-5678", "4111 1111 1111 1111 [phone 1]"),
        ("order 012345678-9012345", "order 012345678-9012345"),
        ("1,200 (555) 123-4568", "1,200 ([phone 1]"),
        ("(555) 123-4567", "[phone 1]"),
        ("1-555-123-4567", "[phone 1]"),
        ("2026-11-24", "2026-11-24"),
        ("at 09:30 or 10:00", "at 09:30 or 10:00"),
        ("order 123456789", "order 123456789"),
        ("3 x 250 g for 12.50", "3 x 250 g for 12.50"),
        ("RX0012345678Z", "RX0012345678Z"),
        ("+12", "+12"),
        ("room 555 123 45678", "room 555 123 45678"),
    ])
    func `phone numbers are blanked`(text: String, expected: String) {
        #expect(Self.blanked(text, [.phones]) == expected)
    }

    @Test(arguments: [
        "4155550132", "14155550132", "13812345678", "138 1234 5678", "98765 43210", "9810123456",
        "(11) 91234-5678", "11 91234-5678", "(11) 3123-4567", "8 (912) 345-67-89", "89123456789",
        "011 49 30 901820", "٠٥٠ ١٢٣ ٤٥٦٧", "03—1234—5678", "03\u{2009}1234\u{2009}5678",
    ])
    func `phone numbers of many countries are blanked without a leading zero or plus sign`(
        number: String
    ) {
        #expect(Self.blanked("at \(number), please", [.phones]) == "at [phone 1], please")
    }

    @Test(arguments: [
        ("TEL03-1234-5678", "TEL[phone 1]"), ("tel4155550132", "tel[phone 1]"),
        ("555-123-4567ext 9", "[phone 1]ext 9"), ("555-123-4567x9", "[phone 1]x9"),
        ("hotel03-1234-5678", "hotel03-1234-5678"), ("03-1234-5678B", "03-1234-5678B"),
    ])
    func `words for phones may touch a number, and other letters may not`(
        text: String, expected: String
    ) {
        #expect(Self.blanked(text, [.phones]) == expected)
    }

    @Test(arguments: [
        "05/12/2026 14:30", "05.12.2026 14.30", "5/12/2026", "12/05/2026 1430", "05.12.26 14.30",
        "05/12/26 1430", "05-12-2026 1430", "2026-12-05 09:00", "2026-12-05T09:00:00Z",
        "05.12.2026 - 07.12.2026", "05/12/2026-07/12/2026", "2026/12/05 0900", "09:30", "0930",
        "order 2025110412", "order 2026120412", "A-20251104", "#4155550132", "A-4155550132",
        "order 20261124-000123", "1.234.567,89", "1,234,567.89", "0,99", "12.50", "1 234 567",
        "10 2000 3000", "1780000000", "id_4155550132",
    ])
    func `dates, times, order numbers and prices stay`(text: String) {
        #expect(Self.blanked(text) == text)
    }

    @Test(arguments: [
        ("05/12/2026 0301 2345678", "05/12/2026 [phone 1]"),
        ("0301 2345678 05.12.2026", "[phone 1] 05.12.2026"),
        ("01.02.03.04.05", "[phone 1]"), ("+49 30 901820 05.12.2026", "[phone 1] 05.12.2026"),
    ])
    func `a number beside a date is blanked, and the date is not`(text: String, expected: String) {
        #expect(Self.blanked(text, [.phones]) == expected)
    }

    @Test func `columns of numbers keep their dates, however many there are`() {
        let column = String(repeating: "4111 1111\n05/12/2026 1430\t", count: 20_000)
        #expect(Self.blanked(column) == column)
        let years = "2023\t2024\t2025\t2026"
        #expect(Self.blanked(years) == years)
    }

    @Test(
        arguments: [
            ("none", []), ("[card 1] and [card 1]", ["[card 1]"]),
            ("[phone 12] [e-mail 3]", ["[phone 12]", "[e-mail 3]"]),
            ("[card ] [card x] [card 1 [phone", []), ("[[card 7]]", ["[card 7]"]),
            // That of the address is put back.
            ("[e-mail 1] [e-mail 2]", ["[e-mail 2]"]),
        ] as [(String, [String])])
    func `placeholders that stay in what a model wrote are found, each once`(
        text: String, expected: [String]
    ) {
        var blanking = Blanking(Self.all)
        _ = blanking.blank("ada@example.com 4111 1111 1111 1111")
        #expect(blanking.left(in: text) == expected)
        #expect(Blanking([]).left(in: text) == [])
    }

    @Test func `a card behind twenty addresses is among the placeholders that stay`() {
        var blanking = Blanking(Self.all)
        let addresses = (1...21).map { "a\($0)@example.com" }.joined(separator: " ")
        let blanked = blanking.blank("\(addresses) 4111 1111 1111 1111")
        #expect(blanking.left(in: blanked) == ["[card 1]"])
    }

    @Test(
        arguments: [
            ("[phone 1] or +49 30 901820", "[phone 1] or [phone 2]"),
            ("+49 30 901820 or [phone 1]", "[phone 1] or [phone 2]"),
            ("+49 30 901820 [phone 2] [phone 1]", "[phone 1] [phone 2] [phone 3]"),
            ("[phone 1] [phone 1] [e-mail 1]", "[phone 1] [phone 1] [e-mail 1]"),
            ("a@example.com [e-mail 1] [e-mail 01]", "[e-mail 1] [e-mail 2] [e-mail 3]"),
            ("[card 7] [card 1]", "[card 1] [card 2]"),
            // A number within brackets is one; the brackets stay.
            ("[phone +49 30 901820]", "[phone [phone 1]]"),
            ("[phone [phone 1]]+49 30 901820", "[phone [phone 1]][phone 2]"),
        ])
    func `a placeholder that a person typed comes back as it was typed`(
        text: String, expected: String
    ) {
        var blanking = Blanking(Self.all)
        let blanked = blanking.blank(text)
        #expect(blanked == expected)
        #expect(blanking.restore(blanked) == text)
        #expect(blanking.left(in: blanked) == [])
    }

    @Test func `what was typed is typed in a later message too, and is not counted`() {
        var blanking = Blanking(Self.all)
        #expect(blanking.blank("+49 30 901820") == "[phone 1]")
        #expect(blanking.blank("Is [phone 1] right?") == "Is [phone 2] right?")
        #expect(blanking.restore("[phone 1], not [phone 2]") == "+49 30 901820, not [phone 1]")
        #expect(blanking.blankKnown("[phone 1] +49 30 901820") == "[phone 2] [phone 1]")
        #expect(blanking.count(of: .phones) == 1)
        // A number of a card never comes back, a word in brackets does.
        let cards = blanking.blank("4111 1111 1111 1111 [card 1]")
        #expect(cards == "[card 1] [card 2]")
        #expect(blanking.restore(cards) == "[card 1] [card 1]")
        #expect(blanking.left(in: cards) == ["[card 1]"])
    }

    @Test func `what was blanked before is blanked again, and nothing else`() {
        var blanking = Blanking(Self.all)
        _ = blanking.blank("ada@example.com")
        #expect(
            blanking.blankKnown("ada@example.com, b@example.com, 0301 2345678")
                == "[e-mail 1], b@example.com, 0301 2345678")
        #expect(blanking.count(of: .emails) == 1 && blanking.count(of: .phones) == 0)
    }

    @Test func `a kind that is not wanted stays, and the others do not`() {
        let text = "ada@example.com, 4111 1111 1111 1111, +49 30 901820"
        #expect(Self.blanked(text, []) == text)
        #expect(Self.blanked(text) == "[e-mail 1], [card 1], [phone 1]")
        #expect(
            Self.blanked(text, [.cards]) == "ada@example.com, [card 1], +49 30 901820")
    }

    @Test func `addresses and phones come back, numbers of cards never`() {
        var blanking = Blanking(Self.all)
        let blanked = blanking.blank("ada@example.com 4111111111111111 +49 30 901820")
        #expect(blanking.restore(blanked) == "ada@example.com [card 1] +49 30 901820")
        #expect(
            blanking.restore("to [e-mail 1] or [e-mail 2]") == "to ada@example.com or [e-mail 2]")
        #expect(blanking.count(of: .cards) == 1)
        // What is put back may stand in a JSON string.
        var hostile = Blanking(Self.all)
        let text = hostile.blank(#"a"b\c@example.com"#)
        #expect(!hostile.restore(text.replacing(#"a"b\"#, with: "")).contains("\""))
    }

    @Test func `thousands of numbers and addresses are each known again`() {
        let count = 8_000
        let text = (0..<count).map { place in
            "+49 30 \(1_000_000 + place) or a\(place)@example.com"
        }.joined(separator: ", ")
        var blanking = Blanking(Self.all)
        let blanked = blanking.blank(text)
        #expect(blanking.count(of: .phones) == count && blanking.count(of: .emails) == count)
        #expect(blanked.hasSuffix("[phone \(count)] or [e-mail \(count)]"))
        #expect(blanking.blank(text) == blanked)
        #expect(blanking.restore(blanked) == text)
    }

    @Test func `a number within an address is part of it, and one beside it is not`() {
        let text = "+49 30 901820 or 4111111111111111@example.com or 4111111111111111 or b@c.de"
        #expect(Self.blanked(text) == "[phone 1] or [e-mail 1] or [card 1] or [e-mail 2]")
    }

    @Test func `any bytes are read, and what is restored is what was there`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let parts = [
            "4111 1111 1111 1111", "ada@example.com", "+49 30 901820", "@", "[e-mail 1]", " ", "0",
            "[phone 1]", "[phone 2]", "[card 1]", "[", "]", "[phone ", "[e-mail ", "1]",
            "９", "é", "\u{200D}", "-", "(", ".", "茶", "\n", "\t", "_", "/", "·", "—", "٤", "＠",
            "05/12/2026", "ü.de", "tel", "ext",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...12, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            var blanking = Blanking([.emails, .phones])
            // What is known from a message before changes nothing.
            _ = blanking.blank("+49 40 901821 [phone 2] b@example.com")
            let blanked = blanking.blank(text)
            let restored = blanking.restore(blanked)
            #expect(Array(restored.utf8) == Array(text.utf8), "seed \(seed): \(text)")
            var cards = Blanking([.cards])
            let once = cards.blank(text)
            #expect(
                cards.count(of: .cards) > 0
                    || Array(cards.restore(once).utf8) == Array(text.utf8),
                "seed \(seed): \(text)")
            // Of a card nothing is left.
            var again = Blanking([.cards])
            _ = again.blank(once)
            #expect(again.count(of: .cards) == 0, "seed \(seed): \(text)")
        }
    }

    @Test func `the newest messages are kept, and long ones are cut between characters`() {
        let long = String(repeating: "茶", count: 1_000)
        let short = Blanking.shorten(long, to: 2_000)
        #expect(short.utf8.count <= 2_003 && short.hasSuffix("…") && short.hasPrefix("茶茶"))
        #expect(Blanking.shorten("tea", to: 3) == "tea")
        #expect(Blanking.shorten("é", to: 1) == "…")
        let lines = (1...60).map { Line(.customer, "message \($0)") }
        let kept = Blanking.shorten(lines)
        #expect(kept.count == Blanking.mostMessages && kept.last?.text == "message 60")
        let heavy = (1...40).map { _ in Line(.business, long) }
        let bytes = Blanking.shorten(heavy).reduce(0) { $0 + $1.text.utf8.count }
        #expect(bytes <= Blanking.mostBytes && bytes > Blanking.mostBytes / 2)
    }
}
