import DeskJSON
import DeskMessages
import DeskTranslate
import TestSupport
import Testing

/// Which identifiers of answers a translation keeps, and what it says of those that it replaces.
struct IdentifierTests {
    private static func translate(_ identifiers: [String], _ shape: Shape) throws -> Translation {
        let items = identifiers.enumerated().map {
            #"{"identifier":"\#($1)","title":"Answer \#($0)"}"#
        }
        return try Translating.translate(
            #"{"type":"interactive","interactiveData":{"bid":"\#(Rulebook.extensionIdentifier)","data":{"version":"1.0","requestIdentifier":"r","#
                + #""quick-reply":{"summaryText":"Which?","items":[\#(items.joined(separator: ","))]}}}}"#,
            .messagesForBusiness, shape)
    }

    /// The identifiers of a keyboard of Telegram or of buttons of WhatsApp.
    private static func identifiers(of made: Translation) throws -> [String] {
        let root = try #require(JSONValue.parsed(made.result.bytes()))
        let rows = root["reply_markup"]?["inline_keyboard"].map { Array($0.elements) } ?? []
        let buttons =
            root["interactive"]?["action"]?["buttons"].map { Array($0.elements) } ?? []
        return rows.compactMap { $0[0]?["callback_data"]?.string }
            + buttons.compactMap { $0["reply"]?["id"]?.string }
    }

    private static let long = String(repeating: "x", count: 257)

    private static let rows: [(Shape, [String], [String], [Int?])] = [
        // What fits is kept, behind one that would have its name too.
        (.telegram, [long, "choice-1"], ["choice-3", "choice-1"], [64]),
        (.whatsapp, [long, "choice-1"], ["choice-3", "choice-1"], [256]),
        (.telegram, ["a", "a"], ["a", "choice-2"], [nil]),
        // Spaces at the ends are WhatsApp's matter alone, and no question of length.
        (.whatsapp, [" a ", "b"], ["choice-1", "b"], [nil]),
        (.telegram, [" a ", "b"], [" a ", "b"], []),
        (.whatsapp, [" \u{301}a", "b"], ["choice-1", "b"], [nil]),
    ]

    @Test(arguments: rows.indices)
    func `identifiers that fit are kept, and others are replaced with a finding`(
        _ index: Int
    ) throws {
        let (shape, identifiers, expected, limits) = Self.rows[index]
        let made = try Self.translate(identifiers, shape)
        #expect(try Self.identifiers(of: made) == expected)
        let replaced = made.losses.filter { $0.pointer.tokens.last == "identifier" }
        #expect(replaced.map(\.limit) == limits)
        #expect(replaced.allSatisfy { $0.kind == .changed })
        #expect(replaced.allSatisfy { ($0.limit == nil) == ($0.actual == nil) })
        #expect(made.findings == [])
    }
}
