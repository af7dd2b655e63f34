import DeskBytes
import DeskModel
import Testing

@testable import DeskSAML

/// Which responses say who a person is, and that changed ones do not.
struct SAMLResponseTests {
    private static func read(
        _ bytes: [UInt8], at now: Timestamp = SAMLSamples.now,
        for service: SAMLService = SAMLSamples.service
    ) throws -> SAMLAssertion {
        try SAMLResponse.read(bytes, of: SAMLSamples.provider(), for: service, at: now)
    }

    private static let ada = SAMLAssertion(
        subject: "u-1", subjectFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
        inResponseTo: SAMLSamples.request,
        attributes: ["email": ["ada@example.com"], "groups": ["desk", "support & sales"]])

    @Test(arguments: ["signed-assertion", "signed-response"])
    func `a response says who the person is`(_ name: String) throws {
        #expect(try Self.read(SAMLSamples.bytes(name)) == Self.ada)
    }

    @Test(arguments: ["signed-assertion", "signed-response"])
    func `a response with any byte changed says the same or nothing`(_ name: String) throws {
        let good = try SAMLSamples.bytes(name)
        var accepted = 0
        for place in good.indices {
            var bytes = good
            bytes[place] ^= 0x01
            guard let found = try? Self.read(bytes) else { continue }
            accepted += 1
            #expect(found == Self.ada, "byte \(place)")
        }
        // What no signature covers, such as the id of the response and white space in base64.
        #expect(accepted < good.count / 4)
    }

    @Test(arguments: ["signed-assertion", "signed-response"])
    func `a response that ends early says nothing`(_ name: String) throws {
        let good = try SAMLSamples.bytes(name)
        // Behind the last element is a line's end.
        for count in 0..<(good.count - 1) {
            #expect(throws: SAMLFault.notXML) { _ = try Self.read(Array(good.prefix(count))) }
        }
    }

    @Test(arguments: [
        (-121, SAMLFault.tooEarly), (-120, nil), (359, nil), (360, .expired),
    ])
    func `a response holds for its time, and a minute for clocks`(
        _ seconds: Int, _ fault: SAMLFault?
    ) throws {
        let bytes = try SAMLSamples.bytes("signed-assertion")
        let now = SAMLSamples.now.advanced(by: .seconds(seconds))
        if let fault {
            #expect(throws: fault) { _ = try Self.read(bytes, at: now) }
        } else {
            #expect(try Self.read(bytes, at: now) == Self.ada)
        }
    }

    @Test func `a response for another server says nothing here`() throws {
        let other = SAMLService(origin: "https://other.example.com")
        #expect(throws: SAMLFault.destination) {
            _ = try Self.read(SAMLSamples.bytes("signed-assertion"), for: other)
        }
    }

    @Test(arguments: [
        ("<ds:DigestValue>", "<ds:DigestValue>AAAA", SAMLFault.digest),
        ("<ds:SignatureValue>", "<ds:SignatureValue>AAAA", .signature),
        ("ada@example.com", "eve@example.com", .digest),
        ("rsa-sha256", "rsa-sha512", .signature), ("rsa-sha256", "hmac-sha256", .algorithm),
        ("URI=\"#a-1\"", "URI=\"\"", .signatureForm), ("URI=\"#a-1\"", "", .signatureForm),
        ("ID=\"a-1\"", "ID=\"a-2\"", .signatureForm), ("ID=\"a-1\"", "", .signatureForm),
        ("<ds:Transforms>", "<ds:Transforms><ds:Transform Algorithm=\"x\"/>", .signatureForm),
        ("<ds:Reference ", "<ds:Reference/><ds:Reference ", .signatureForm),
        (
            "<ds:Signature ",
            "<Signature xmlns=\"http://www.w3.org/2000/09/xmldsig#\"/><ds:Signature ",
            .signatureForm
        ),
        ("<?xml version=\"1.0\"?>", "<!DOCTYPE x>", .documentType),
        ("urn:oasis:names:tc:SAML:2.0:status:Success", "x", .status),
        ("<samlp:Response ", "<samlp:Other ", .notXML),
    ])
    func `each change has its word`(_ old: String, _ new: String, _ fault: SAMLFault) throws {
        let good = try SAMLSamples.bytes("signed-assertion")
        let bytes = SAMLSamples.replacing(old, by: new, in: good)
        #expect(bytes != good)
        // A digest is itself signed: whichever is looked at first.
        let found = #expect(throws: SAMLFault.self) { _ = try Self.read(bytes) }
        #expect(found == fault || (fault == .digest && found == .signature))
    }

    private static func numbered(_ count: Int, _ write: (Int) -> String) -> String {
        (0..<count).map(write).joined()
    }

    private static let long = String(repeating: "u", count: 257)
    private static let prefix = String(repeating: "p", count: 33)

    /// Documents that would need more time than their length says; what is one less is read.
    private static let costly: [(String, SAMLFault)] = [
        (String(repeating: " ", count: 256 * 1_024 + 1), .tooLong),
        ("<a>\(String(repeating: "<b/>", count: 8_192))</a>", .tooComplex),
        ("<a>\(String(repeating: "<!---->", count: 20_000))</a>", .tooComplex),
        ("<a\(numbered(257) { " a\($0)='>'" })", .tooComplex),
        ("<a\(numbered(65) { " a\($0)='>'" })/>", .tooComplex),
        ("<a\(numbered(64) { " a\($0)='>'" })/>", .notResponse),
        ("<a\(numbered(33) { " xmlns:a\($0)='u:u'" })/>", .tooComplex),
        ("<a\(numbered(32) { " xmlns:a\($0)='u:u'" })/>", .notResponse),
        (nested(33) { "<a xmlns:a\($0)='u:u'>" }, .tooComplex),
        (nested(33) { _ in "<a>" }, .tooComplex), (nested(32) { _ in "<a>" }, .notResponse),
        ("<a xmlns='\(long)'/>", .tooComplex), ("<a xmlns:\(prefix)='u:u'/>", .tooComplex),
        ("<a>\(numbered(2_049) { _ in "<b xmlns='u:u'/>" })</a>", .tooComplex),
    ]

    private static func nested(_ count: Int, _ write: (Int) -> String) -> String {
        numbered(count, write) + String(repeating: "</a>", count: count)
    }

    @Test(arguments: costly.indices)
    func `what needs more memory or time than a response does is refused`(
        _ number: Int
    ) throws {
        let (text, fault) = Self.costly[number]
        #expect(throws: fault) { _ = try Self.read(Array(text.utf8)) }
    }
}
