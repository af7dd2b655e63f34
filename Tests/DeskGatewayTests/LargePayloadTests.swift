import DeskBytes
import DeskGateway
import DeskHTTP
import GatewayTestSupport
import TestSupport
import Testing

/// Large interactive data in its binary form.
@Suite("A large payload")
struct LargePayloadTests {
    /// Made by plistlib: a keyed archive of data, bid, sessionIdentifier and ldtext, none of ours.
    static let foreign =
        "62706c6973743030d4010203040506070a582476657273696f6e592461726368697665725424746f7058"
        + "246f626a6563747312000186a05f100f4e534b657965644172636869766572d1080954726f6f748001ab"
        + "0b0c1b1c1d1e1f2021222355246e756c6cd30d0e0f1011165624636c617373574e532e6b6579735a4e53"
        + "2e6f626a65637473800aa4121314158002800380048005a41718191a8006800780088009546461746153"
        + "6269645f101173657373696f6e4964656e746966696572566c64746578744f102e7b2276657273696f6e"
        + "223a22312e30222c226c6973745069636b6572223a7b2273656374696f6e73223a5b5d7d7d5b636f6d2e"
        + "6170706c652e7855312d322d3362004800e9d2242526275a24636c6173736e616d655824636c61737365"
        + "735c4e5344696374696f6e617279a22628584e534f626a65637400080011001a00240029003200370049"
        + "004c00510053005f0065006c0073007b00860088008d008f009100930095009a009c009e00a000a200a7"
        + "00ab00bf00c600f701030109010e0113011e012701340137000000000000020100000000000000290000"
        + "0000000000000000000000000140"

    @Test(arguments: [
        #"{"bid":"a:b","data":{"version":"1.0"},"sessionIdentifier":"s"}"#,
        #" { "data" : {"n" : 1.0e2, "t":"é\u00e9😀"} , "bid":"x" , "receivedMessage":{"title":"T"}}  "#,
        #"{"bid":"b","URL":"?a=b","appId":7}"#, #"{"data":null}"#, "{}", "[]", "no JSON", "",
        #"{"data":{},"data":{}}"#, #"{"data":"before","b":{"data":2}}"#,
    ])
    func `gives back byte for byte what it was made of, with and without gzip`(
        text: String
    ) throws {
        let bytes = Array(text.utf8)
        let packed = LargePayload.encode(bytes)
        #expect(packed.starts(with: "bplist00".utf8))
        #expect(try LargePayload.decode(packed) == bytes)
        #expect(try LargePayload.decode(Gzip.compress(packed)) == bytes)
    }

    @Test func `is a keyed archive whose data is the JSON text of data`() throws {
        let text =
            #"{"bid":"a:b","data":{"v": 1,"receivedMessage":{"title":"Hi"}},"sessionIdentifier":"s"}"#
        let list = try PropertyListReader.read(LargePayload.encode(Array(text.utf8)))
        #expect(list["$archiver"]?.text == "NSKeyedArchiver")
        #expect(list["$version"] == .integer(100_000))
        let objects = try #require(list["$objects"]?.elements)
        #expect(objects[0] == .string("$null"))
        let root = objects[1]
        let keys = root["NS.keys"]?.elements ?? []
        let values = root["NS.objects"]?.elements ?? []
        var found: [String: PropertyList] = [:]
        for (key, value) in zip(keys, values) {
            let (name, place) = try (#require(key.reference), #require(value.reference))
            found[try #require(objects[Int(name)].text)] = objects[Int(place)]
        }
        let data = #"{"v": 1,"receivedMessage":{"title":"Hi"}}"#
        #expect(found["data"] == .data(Array(data.utf8)))
        #expect(found["bid"] == .string("a:b"))
        #expect(found["sessionIdentifier"] == .string("s"))
        #expect(found["ldtext"] == .string("Hi"))
        let own = try #require(root["$class"]?.reference)
        #expect(objects[Int(own)]["$classname"] == .string("NSDictionary"))
    }

    @Test func `of another's making becomes interactive data`() throws {
        let bytes = try #require(Hex.decode(Self.foreign))
        let text = try String(decoding: LargePayload.decode(bytes), as: UTF8.self)
        #expect(
            text
                == #"{"bid":"com.apple.x","sessionIdentifier":"1-2-3","#
                + #""data":{"version":"1.0","listPicker":{"sections":[]}}}"#)
    }

    @Test func `of 4 MiB is read, and a gzip bomb is not unpacked`() throws {
        let text = Array(#"{"data":"\#(String(repeating: "a", count: 4_000_000))"}"#.utf8)
        #expect(try LargePayload.decode(LargePayload.encode(text)) == text)
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: LargePayload.maximumBytes + 1))
        #expect(throws: PropertyListFault.tooLarge) { try LargePayload.decode(bomb) }
        let most = try Gzip.compress([UInt8](repeating: 0, count: LargePayload.maximumBytes))
        #expect(throws: PropertyListFault.notPropertyList) { try LargePayload.decode(most) }
    }

    @Test func `that is none is refused by what is wrong`() throws {
        #expect(throws: PropertyListFault.notPropertyList) { try LargePayload.decode([1, 2, 3]) }
        #expect(throws: PropertyListFault.gzip) {
            try LargePayload.decode(Array(Gzip.compress([1, 2, 3]).dropLast(4)))
        }
        let others: [(PropertyList, PropertyListFault)] = [
            (.string("a"), .notArchive), (.dictionary([]), .notArchive),
            (archive([]), .notArchive),
            (archive([.string("$null"), .dictionary([])]), .rootNotDictionary),
            (archive(of: [("bid", .string("b"))]), .noContent),
            (archive(of: [("data", .data(Array("{".utf8)))]), .dataNotJSON),
        ]
        for (other, fault) in others {
            #expect(throws: fault) {
                try LargePayload.decode(PropertyListWriter.bytes(of: other))
            }
        }
    }

    @Test func `an archive without content is refused with what is missing in it`() async throws {
        let gateway = try await TestGateway()
        let empty = PropertyListWriter.bytes(of: archive(of: [("bid", .string("b:1"))]))
        for bytes in [empty, try Gzip.compress(empty)] {
            let answer = try await gateway.ask(
                .post, "/v1/decodePayload", ["bid": "b:1"], body: bytes)
            #expect(answer.status == 400)
            let said = String(decoding: answer.body, as: UTF8.self)
            #expect(said.contains("neither data") && said.contains("nor URL"), "\(said)")
        }
    }

    private func archive(_ objects: [PropertyList]) -> PropertyList {
        .dictionary([
            .init("$archiver", .string("NSKeyedArchiver")), .init("$objects", .array(objects)),
            .init("$top", .dictionary([.init("root", .uid(1))])),
        ])
    }

    private func archive(of members: [(String, PropertyList)]) -> PropertyList {
        let count = UInt64(members.count)
        let root = PropertyList.dictionary([
            .init("NS.keys", .array((0..<count).map { .uid(2 + $0) })),
            .init("NS.objects", .array((0..<count).map { .uid(2 + count + $0) })),
        ])
        return archive(
            [.string("$null"), root] + members.map { .string($0.0) } + members.map(\.1))
    }

    @Test func `with changed bytes is read or refused, and never traps`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let packed = LargePayload.encode(Array(#"{"bid":"a","data":{"b":[1,2]},"URL":"?"}"#.utf8))
        for _ in 0..<3_000 {
            var bytes = packed
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            // Safe: either outcome is right; a trap would end the test.
            guard let text = try? LargePayload.decode(bytes) else { continue }
            #expect(text.count <= bytes.count * 4, "seed \(seed): \(Hex.encode(bytes))")
        }
    }
}
