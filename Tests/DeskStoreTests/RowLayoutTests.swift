import DeskModel
import Testing

@testable import DeskStore

/// What row checksums cover, by coverage number.
@Suite struct RowLayoutTests {
    /// The coverages of rows on disks.
    ///
    /// Lines are added here and never changed.
    static let frozen: [(RowLayout, coverage: Int, columns: String)] = [
        (
            .messages, 0,
            """
            position conversation sequence previous id time direction kind author_kind \
            author_name origin digest posted checksum summary headers warnings template \
            template_version template_values attachments in_reply_to entry_code
            """
        ),
        (
            .messages, 1,
            """
            position conversation sequence previous id time direction kind author_kind \
            author_name origin digest posted checksum summary headers warnings template \
            template_version template_values attachments in_reply_to entry_code erased_at
            """
        ),
        (
            .events, 0, "position type time business conversation subject data revision?"
        ),
        (.events, 1, "position type time business conversation subject data revision"),
        (.notes, 0, "conversation id time author_kind author_name text after_sequence"),
        (
            .notes, 1,
            """
            conversation id time author_kind author_name text after_sequence mentions edited_at \
            deleted_at
            """
        ),
        (.answers, 0, "scope body conversation message status answer answered_at"),
        (
            .conversations, 0,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name
            """
        ),
        (
            .conversations, 1,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels
            """
        ),
        (
            .conversations, 2,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team
            """
        ),
        (
            .conversations, 3,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team last_erased_at
            """
        ),
        (
            .conversations, 4,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team last_erased_at contact_name attributes contact blocked_at
            """
        ),
        (
            .conversations, 5,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team last_erased_at contact_name attributes contact blocked_at answer_kind answer_due
            """
        ),
        (
            .conversations, 6,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team last_erased_at contact_name attributes contact blocked_at answer_kind answer_due \
            participants watchers
            """
        ),
        (
            .conversations, 7,
            """
            id business customer customer_name locale capabilities intent group_name state \
            assignee snoozed_until has_left is_muted customer_floor opened_at newest last_id \
            last_direction last_kind last_time last_summary unread read_up_to waiting_since \
            activity head last_position revision last_author_kind last_author_name priority labels \
            team last_erased_at contact_name attributes contact blocked_at answer_kind answer_due \
            participants watchers satisfaction
            """
        ),
    ]

    @Test func `coverages of rows on disks never change`() {
        for (layout, number, columns) in Self.frozen {
            let coverage = layout.coverages[number]
            let names = layout.columns.prefix(coverage.count).joined(separator: " ")
            #expect(names + (coverage.skipsAbsentLast ? "?" : "") == columns)
        }
        let all = [
            RowLayout.messages, .events, .notes, .answers, .conversations,
        ]
        #expect(all.map(\.coverages.count).reduce(0, +) == Self.frozen.count)
    }

    // A tombstone of this version stays one when messages have further columns.
    @Test func `the place of the erasure is that of its column`() {
        #expect(RowLayout.messages.columns[RowLayout.erasedAtPlace] == "erased_at")
        #expect(RowLayout.messages.coverages[1].count == RowLayout.erasedAtPlace + 1)
    }

    @Test func `a column added later is no damage to rows from before`() {
        let before = RowLayout(["one", "two"], [.init(2)])
        let after = RowLayout(["one", "two", "three"], [.init(2), .init(3)])
        var sum = RowChecksum()
        sum.add(RowValue.integer(1))
        sum.add(RowValue.text("two"))
        let stored = before.stored(sum)
        #expect(after.coverage(of: stored) == .init(2))
        sum.add(RowValue.null)
        #expect(after.coverage(of: after.stored(sum)) == .init(3))
        // A later program's row is none that this one can verify.
        #expect(before.coverage(of: after.stored(sum)) == nil)
        #expect(before.coverage(of: -1) == nil)
    }

    // Nodes of the program of before read the rows meanwhile.
    @Test func `a row has a coverage that is not settled only for values that it brings`() {
        let before = RowLayout(["one", "two", "three"], [.init(3)])
        let after = RowLayout(
            ["one", "two", "three", "four", "five"], [.init(3), .init(4), .init(5)], settled: 0)
        let cases: [(values: [Int64?], coverage: Int)] = [
            ([1, 2, 3, nil, nil], 3), ([1, nil, nil, nil, nil], 3),
            ([nil, nil, nil, nil, nil], 3), ([1, 2, nil, 4, nil], 4), ([1, 2, 3, nil, 5], 5),
        ]
        for (values, coverage) in cases {
            var whole = RowChecksum()
            for value in values { whole.add(value) }
            let stored = after.stored(whole)
            #expect(after.coverage(of: stored)?.count == coverage)
            var covered = RowChecksum()
            for value in values.prefix(coverage) { covered.add(value) }
            #expect(stored & 0xFFFF_FFFF == covered.value)
            if coverage == 3 { #expect(stored == before.stored(covered)) }
        }
    }
}
