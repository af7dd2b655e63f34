import DeskJSON
import TestSupport
import Testing

/// A value copied from a larger text is what parsing its own text would give.
struct PartTests {
    private static let text = """
        {"messages": [{"conversation": "a", "payload": {"type": "text", "body": "caf\\u00e9 \\"x\\""}},
         {"payload": {"deep": [[{"imageIdentifier": 1}], {}, []], "n": -1.50e3, "t": true, "z": null}},
         "scalar", 12, {"k\\u0065y": {"key": [0]}}, [], {}], "": {"images": "imageIdentifier"}}
        """

    @Test func `each value becomes a document of its own as if it had been parsed alone`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var parts = 0
        for round in 0..<500 {
            var bytes = Array(Self.text.utf8)
            if round > 0 {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
            }
            guard let whole = try? JSONDocument(parsing: bytes) else { continue }
            for value in Self.all(in: whole.root) {
                let part = try value.detached()
                let alone = try JSONDocument(parsing: Array(value.rawBytes))
                #expect(part.bytes == alone.bytes, "seed \(seed), round \(round)")
                let isSame = Self.described(part.root) == Self.described(alone.root)
                #expect(isSame, "seed \(seed), round \(round): \(value.rawText)")
                parts += 1
            }
        }
        #expect(parts > 500)
    }

    @Test(arguments: [(64, true), (65, false)])
    func `a part may be as deep as a text of its own`(depth: Int, isAllowed: Bool) throws {
        let part = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let whole = try JSONDocument(
            parsing: #"{"a":{"b":\#(part)}}"#, limits: JSONLimits(depth: 67))
        let value = try #require(whole.root["a"]?["b"])
        if isAllowed {
            #expect(try value.detached().root.rawText == part)
        } else {
            let error = #expect(throws: JSONError.self) { try value.detached() }
            #expect(error?.code == .tooDeep)
        }
    }

    @Test(arguments: [(20_000, true), (20_001, false)])
    func `a part may hold as many values as a text of its own`(count: Int, isAllowed: Bool) throws {
        let part = "[" + Array(repeating: "0", count: count - 1).joined(separator: ",") + "]"
        let whole = try JSONDocument(
            parsing: #"{"a":[\#(part),\#(part)]}"#, limits: JSONLimits(nodes: 100_000))
        let value = try #require(whole.root["a"]?[1])
        if isAllowed {
            #expect(try value.detached().root.count == count - 1)
        } else {
            let error = #expect(throws: JSONError.self) { try value.detached() }
            #expect(error?.code == .tooManyNodes)
        }
    }

    @Test func `a part of a text that was read more leniently is read again`() throws {
        let whole = try JSONDocument(
            parsing: #"{"a":{"k":1,"k":2}}"#, limits: JSONLimits(allowsDuplicateKeys: true))
        let error = #expect(throws: JSONError.self) { try whole.root["a"]?.detached() }
        #expect(error?.code == .duplicateKey)
    }

    @Test(arguments: [
        (#"{"images":[],"a":[{"imageIdentifier":"x"}]}"#, true),
        (#"{"image\u0049dentifier":1}"#, true), (#"{"imageIdentifier2":1}"#, false),
        (#"{"a":"imageIdentifier","b":["imageIdentifier"]}"#, false), ("[]", false),
        (#""imageIdentifier""#, false), (#"{"a":{"b":{"imageIdentifier":{}}}}"#, true),
        (#"{"imageIdentifieR":1,"imageidentifier":2}"#, false),
    ])
    func `a key is found at any depth, and nothing but a key`(text: String, holds: Bool) throws {
        #expect(try JSONDocument(parsing: text).root.holdsKey("imageIdentifier") == holds)
    }

    @Test func `a key of a neighbour is not found`() throws {
        let root = try JSONDocument(parsing: #"{"a":{"x":1},"b":{"y":[2]},"c":3}"#).root
        #expect(root["a"]?.holdsKey("y") == false && root["b"]?.holdsKey("y") == true)
        #expect(root["b"]?.holdsKey("c") == false && root["c"]?.holdsKey("c") == false)
    }

    @Test func `equal texts have equal fingerprints; escapes and other values have none`() throws {
        let root = try JSONDocument(
            parsing: #"["item-1", "item-1", "item-2", "", "", "\u0069tem-1", 1, null, ["item-1"]]"#
        ).root
        let words = root.elements.map { $0.fingerprint }
        #expect(words[0] != nil && words[0] == words[1] && words[0] != words[2])
        #expect(words[3] != nil && words[3] == words[4])
        #expect(words[5...].allSatisfy { $0 == nil })
    }

    private static func all(in value: JSONValue) -> [JSONValue] {
        [value] + value.elements.flatMap { all(in: $0) }
            + value.members.flatMap { all(in: $0.value) }
    }

    /// Everything that can be asked of a value and all it holds, with places.
    private static func described(_ value: JSONValue) -> String {
        let own = "\(value.kind) \(value.range) \(value.count) \(value.rawText)"
        let elements = value.elements.map { described($0) }
        let members = value.members.map { member in
            let isFound = value[member.key]?.range == member.value.range
            return "\(member.key) \(member.keyRange) \(isFound) \(described(member.value))"
        }
        return "\(own) [\(elements.joined(separator: ";"))] {\(members.joined(separator: ";"))}"
    }
}
