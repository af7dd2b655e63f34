import DeskJSON
import TestSupport
import Testing

struct ParsingTests {
    @Test(
        arguments: [
            ("", .emptyText, 1, 1), (" \n ", .emptyText, 2, 2), ("[1,]", .unexpectedByte, 1, 4),
            ("{\"a\":1,}", .unexpectedByte, 1, 8), ("[1\n 2]", .unexpectedByte, 2, 2),
            ("{\"a\" 1}", .unexpectedByte, 1, 6), ("{a:1}", .unexpectedByte, 1, 2),
            ("['a']", .unexpectedByte, 1, 2), ("[1] x", .trailingBytes, 1, 5),
            ("nul", .badLiteral, 1, 1), ("[True]", .badLiteral, 1, 2), ("nullx", .badLiteral, 1, 1),
            ("[01]", .badNumber, 1, 2), ("[-]", .badNumber, 1, 2), ("[1.]", .badNumber, 1, 2),
            ("[1e]", .badNumber, 1, 2), ("[.5]", .unexpectedByte, 1, 2),
            ("[\"é\"\r\n,\"\t\"]", .controlByte, 2, 3), ("\"\\x\"", .badEscape, 1, 2),
            ("\"\\u12g4\"", .badEscape, 1, 2), ("\"é\\ud800\"", .loneSurrogate, 1, 3),
            ("\"\\udc00\"", .loneSurrogate, 1, 2), ("\"\\ud800\\u0041\"", .loneSurrogate, 1, 2),
            ("[\"a", .unexpectedEnd, 1, 4), ("[", .unexpectedEnd, 1, 2),
            ("{\"a\"", .unexpectedEnd, 1, 5), ("\"\\", .unexpectedEnd, 1, 3),
            ("\u{FEFF}1", .byteOrderMark, 1, 1), ("1\0", .notUTF8, 1, 1),
            ("{\"a\":1,\"b\":2,\"\\u0061\":3}", .duplicateKey, 1, 14),
            ("/* */1", .unexpectedByte, 1, 1), ("“a”", .unexpectedByte, 1, 1),
        ] as [(String, JSONError.Code, Int, Int)])
    func `a fault is named with its line and column`(
        text: String, code: JSONError.Code, line: Int, column: Int
    ) {
        let error = fault(Array(text.utf8))
        #expect(error?.code == code)
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.sentence.hasSuffix(".") == true)
    }

    @Test func `a duplicate key is refused with both places, in small and large objects`() throws {
        for count in [2, 24, 25, 900] {
            let keys = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",\n")
            let error = fault(Array("{\(keys),\n\"k0\":0}".utf8))
            #expect(error?.code == .duplicateKey)
            #expect(error?.line == count + 1)
            #expect(error?.earlier == JSONPosition(offset: 1, in: Array("{\(keys)".utf8)))
            #expect(fault(Array("{\(keys)}".utf8)) == nil)
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0], "UTF-16, little-endian, with a byte order mark"),
            ([0xFE, 0xFF, 0, 0x7B], "UTF-16, big-endian, with a byte order mark"),
            ([0x7B, 0, 0x7D, 0], "UTF-16, little-endian"),
            ([0, 0x7B, 0, 0x7D], "UTF-16, big-endian"),
            ([0, 0, 0, 0x7B], "UTF-32"),
            ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "byte order mark (EF BB BF)"),
            (Array(#""\udc00""#.utf8), #"\udc00"#), ([0x22, 0xC3, 0x28, 0x22], "0xC3"),
        ] as [([UInt8], String)])
    func `a text that is not UTF-8 is refused with what was found`(bytes: [UInt8], found: String) {
        #expect(fault(bytes)?.sentence.contains(found) == true)
    }

    @Test func `canonically equal keys are two keys`() throws {
        let document = try JSONDocument(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(document.root["\u{e9}"]?.int == 1)
        #expect(document.root["e\u{301}"]?.int == 2)
    }

    @Test(
        arguments: [
            (JSONLimits(depth: 3), "[[[1]]]", "[[[[1]]]]", .tooDeep),
            (JSONLimits(nodes: 4), "[1,2,3]", "[1,2,3,4]", .tooManyNodes),
            (
                JSONLimits(keysPerObject: 2), "{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":3}",
                .tooManyKeys
            ),
            (JSONLimits(keyBytes: 3), "{\"abc\":1}", "{\"abcd\":1}", .keyTooLong),
            (JSONLimits(numberBytes: 5), "12345", "123456", .numberTooLong),
        ] as [(JSONLimits, String, String, JSONError.Code)])
    func `each limit accepts its value and refuses one more`(
        limits: JSONLimits, taken: String, refused: String, code: JSONError.Code
    ) {
        #expect(fault(Array(taken.utf8), limits) == nil)
        #expect(fault(Array(refused.utf8), limits)?.code == code)
    }

    @Test func `the product's limits are those of the limits page`() {
        let limits = JSONLimits.standard
        #expect(limits.depth == 64 && limits.nodes == 20_000 && limits.keysPerObject == 1_000)
        #expect(limits.keyBytes == 1_024 && limits.numberBytes == 64)
        #expect(!limits.allowsDuplicateKeys)
    }

    @Test func `every cut of a text is refused and never traps`() throws {
        let text = Array(#"{"a":[1,-2.5e3,"é\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}}"#.utf8)
        #expect(fault(text) == nil)
        for length in 0..<text.count { #expect(fault(Array(text[..<length])) != nil) }
    }

    @Test func `a mutated text is accepted or refused, and what is accepted can be read`() {
        let text = Array(#"{"a":[1,-2.5e3,"é\u00e9\ud83d\ude00\n"],"b":{"c":null,"d":true}}"#.utf8)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var taken = 0
        for round in 0..<20_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default:
                    bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            do throws(JSONError) {
                let document = try JSONDocument(parsing: bytes)
                taken += 1
                let copy = JSON(document.root).bytes()
                #expect(fault(copy) == nil, "seed \(seed), round \(round)")
            } catch {
                #expect(error.offset <= bytes.count, "seed \(seed), round \(round)")
            }
        }
        #expect(taken > 0, "seed \(seed)")
    }

    private func fault(_ bytes: [UInt8], _ limits: JSONLimits = .standard) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}
