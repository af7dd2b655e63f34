import DeskBytes
import DeskJSON
import DeskModel
import GatewayTestSupport
import TestSupport
import Testing

@testable import DeskGateway

/// What stands for a reference, and what a reference says of an object.
struct ReferenceTests {
    static let exchanged: [(text: String, becomes: String)] = [
        (#"{"a":1,"dataRef":{"url":"u"},"b":2}"#, #"{"a":1,"data":[7],"b":2}"#),
        (#"{"data":null,"dataRef":{}}"#, #"{"data":[7]}"#),
        (#"{ "dataRef" : {} , "data" : null }"#, #"{ "data" : [7]  }"#),
        (#"{"a":1, "data": null ,"b":2,"dataRef":{}}"#, #"{"a":1, "b":2,"data":[7]}"#),
        (#"{"dataRef":{},"data":null,"b":2}"#, #"{"data":[7],"b":2}"#),
        (#"{"a":{"data":null},"dataRef":{}}"#, #"{"a":{"data":null},"data":[7]}"#),
    ]

    @Test(arguments: exchanged.indices)
    func `what stands for a reference is in the object once, beside every other byte`(
        _ place: Int
    ) throws {
        let (text, becomes) = Self.exchanged[place]
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        let member = try #require(root.members.first { $0.keyEquals("dataRef") })
        let made = EnvelopeText.exchanging(
            member, in: root, for: "data", Array("[7]".utf8), of: Array(text.utf8))
        #expect(String(decoding: made, as: UTF8.self) == becomes)
        #expect(try JSONDocument(parsing: made).root["data"]?[0]?.int == 7)
    }

    static let signature: [UInt8] = [1] + (0..<32).map { UInt8($0) }
    static let digits = Base64.encode(Array(Hex.encode(signature).utf8))

    static let stated: [(value: String, doubt: String?)] = [
        (#"{"url":"u"}"#, nil),
        (
            #"{"owner":"frontdesk","size":"9","signature-base64":"\#(Base64.encode(signature))"}"#,
            nil
        ),
        (#"{"mmcs-owner":"frontdesk","file-size":9,"signature":"\#(Hex.encode(signature))"}"#, nil),
        (#"{"owner":"M1"}"#, "/owner is"), (#"{"size":8}"#, "/size is 8"),
        (#"{"signature-base64":"AAAA"}"#, "/signature-base64 is not"),
        (#"{"signature-base64":"\#(digits)"}"#, "base64 of the hexadecimal digits"),
        (#"{"signature":"zz"}"#, "/signature is not"),
    ]

    @Test(arguments: stated.indices)
    func `what a dictionary says of an object that is not so is found`(_ place: Int) throws {
        let (text, doubt) = Self.stated[place]
        let object = MMCSObject(
            id: "0", business: try #require(BusinessID(uuid(1))),
            content: try #require(AttachmentID(String(repeating: "0", count: 64))), key: nil,
            byteCount: 9, signature: Self.signature, createdAt: TestGateway.now)
        let found = object.doubts(of: try JSONDocument(parsing: Array(text.utf8)).root)
        #expect(found.count == (doubt == nil ? 0 : 1), "\(found)")
        if let doubt { #expect(found.first?.contains(doubt) == true, "\(found)") }
    }
}
