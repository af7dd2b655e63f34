import DeskJSON
import Testing

/// JSONTestSuite: `y_` must be accepted, `n_` must be refused, `i_` is ours to decide.
struct ParsingSuiteTests {
    private static let folder = "json-test-suite/test_parsing"

    @Test func `all 283 decided cases of JSONTestSuite are right without limits`() throws {
        let cases = "its 283 decided cases"
        guard let files = ConformanceFolder.files(in: Self.folder, cases: cases) else { return }
        var wrong: [String] = []
        var counts: [Character: Int] = [:]
        for (name, bytes) in files {
            guard let letter = name.first, letter != "i" else { continue }
            counts[letter, default: 0] += 1
            let isTaken = outcome(bytes, .unlimited) == nil
            if isTaken != (letter == "y") { wrong.append(name) }
        }
        print(
            "conformance: JSONTestSuite", counts["y"] ?? 0, "y_ and", counts["n"] ?? 0, "n_ cases")
        #expect(counts == ["y": 95, "n": 188])
        #expect(wrong.isEmpty)
    }

    @Test func `with the product's limits only duplicate keys and a number of 82 bytes differ`()
        throws
    {
        let cases = "its comparison of limits"
        guard let files = ConformanceFolder.files(in: Self.folder, cases: cases) else { return }
        var differing: [String: JSONError.Code] = [:]
        for (name, bytes) in files where name.hasPrefix("y_") {
            differing[name] = outcome(bytes, .standard)
        }
        #expect(
            differing == [
                "y_number_double_close_to_zero.json": .numberTooLong,
                "y_object_duplicated_key.json": .duplicateKey,
                "y_object_duplicated_key_and_value.json": .duplicateKey,
            ])
    }

    @Test func `each of the 35 undecided cases is decided as the table says`() throws {
        let cases = "its 35 undecided cases"
        guard let files = ConformanceFolder.files(in: Self.folder, cases: cases) else { return }
        var found: [String: String] = [:]
        for (name, bytes) in files where name.hasPrefix("i_") {
            let code = outcome(bytes, .standard)
            found[String(name.dropFirst(2).dropLast(5))] = code?.rawValue ?? "taken"
        }
        #expect(found == Self.undecided)
    }

    /// Numbers are kept as text, so none is too large; text that is not Unicode is
    /// refused, since it could not be kept and sent on; other encodings are not JSON (RFC 8259, 8.1).
    private static let undecided: [String: String] = [
        "number_double_huge_neg_exp": "taken",
        "number_huge_exp": "number_too_long",
        "number_neg_int_huge_exp": "taken",
        "number_pos_double_huge_exp": "taken",
        "number_real_neg_overflow": "taken",
        "number_real_pos_overflow": "taken",
        "number_real_underflow": "taken",
        "number_too_big_neg_int": "taken",
        "number_too_big_pos_int": "taken",
        "number_very_big_negative_int": "taken",
        "object_key_lone_2nd_surrogate": "lone_surrogate",
        "string_1st_surrogate_but_2nd_missing": "lone_surrogate",
        "string_1st_valid_surrogate_2nd_invalid": "lone_surrogate",
        "string_UTF-16LE_with_BOM": "not_utf8",
        "string_UTF-8_invalid_sequence": "bad_utf8",
        "string_UTF8_surrogate_U+D800": "bad_utf8",
        "string_incomplete_surrogate_and_escape_valid": "lone_surrogate",
        "string_incomplete_surrogate_pair": "lone_surrogate",
        "string_incomplete_surrogates_escape_valid": "lone_surrogate",
        "string_invalid_lonely_surrogate": "lone_surrogate",
        "string_invalid_surrogate": "lone_surrogate",
        "string_invalid_utf-8": "bad_utf8",
        "string_inverted_surrogates_U+1D11E": "lone_surrogate",
        "string_iso_latin_1": "bad_utf8",
        "string_lone_second_surrogate": "lone_surrogate",
        "string_lone_utf8_continuation_byte": "bad_utf8",
        "string_not_in_unicode_range": "bad_utf8",
        "string_overlong_sequence_2_bytes": "bad_utf8",
        "string_overlong_sequence_6_bytes": "bad_utf8",
        "string_overlong_sequence_6_bytes_null": "bad_utf8",
        "string_truncated-utf-8": "bad_utf8",
        "string_utf16BE_no_BOM": "not_utf8",
        "string_utf16LE_no_BOM": "not_utf8",
        "structure_500_nested_arrays": "too_deep",
        "structure_UTF-8_BOM_empty_object": "byte_order_mark",
    ]

    private func outcome(_ bytes: [UInt8], _ limits: JSONLimits) -> JSONError.Code? {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }
}
