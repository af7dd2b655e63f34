import DeskBytes
import Testing

@testable import DeskSAML

/// How documents of others are read.
struct XMLDocumentTests {
    private static func document(_ text: String) throws -> XMLDocument {
        try XMLDocument.load()
        return try XMLDocument(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("<a>x</a>", "x"), ("<a> x \n</a>", "x"), ("<a/>", ""), ("<a>&lt;&#65;</a>", "<A"),
            ("<a><![CDATA[<x>]]></a>", "<x>"), ("<a>x<!-- -->y</a>", nil), ("<a>x<?y?></a>", nil),
            ("<a><b/></a>", nil),
        ] as [(String, String?)])
    func `a text is one that stands alone`(_ text: String, _ value: String?) throws {
        #expect(try Self.document(text).root.text == value)
    }

    @Test(
        arguments: [
            ("<a b='1'/>", "1"), ("<a b=''/>", ""), ("<a/>", nil), ("<a b='&amp;&quot;'/>", "&\""),
            ("<a xmlns:x='urn:x' x:b='1'/>", nil),
        ] as [(String, String?)])
    func `an attribute is one without a namespace`(_ text: String, _ value: String?) throws {
        #expect(try Self.document(text).root.attribute("b") == value)
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/hostname'><a/>",
    ])
    func `a document type is refused`(_ text: String) throws {
        #expect(throws: SAMLFault.documentType) { _ = try Self.document(text) }
    }

    @Test(arguments: [
        "", " ", "a", "<a", "<a></b>", "<a/><b/>", "<a>&b;</a>", "<a/>\u{0}", "<a b='1' b='2'/>",
    ])
    func `what is not well formed is refused`(_ text: String) throws {
        #expect(throws: SAMLFault.notXML) { _ = try Self.document(text) }
    }

    @Test func `an encoding that is stated does not count`() throws {
        let text = "<?xml version='1.0' encoding='UTF-7'?><a>+ADw-b/+AD4-</a>"
        #expect(try Self.document(text).root.text == "+ADw-b/+AD4-")
    }

    @Test func `bytes that are not UTF-8 are refused whatever encoding is stated`() throws {
        try XMLDocument.load()
        let text = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
        #expect(throws: SAMLFault.notXML) {
            _ = try XMLDocument(text + [0xE4] + Array("</a>".utf8))
        }
    }

    @Test func `a canonical form has what Exclusive XML Canonicalization says`() throws {
        let document = try Self.document(
            "<r xmlns:x='urn:x' xmlns:y='urn:y' xmlns='urn:d'><x:a  z='1' b=\"2\"><!-- no --><c/><s>gone</s>t&#13;</x:a></r>"
        )
        let element = try #require(document.root.children.first)
        let without = try #require(element.children.last)
        let form = try document.canonical(element, without: without)
        #expect(
            String(decoding: form, as: UTF8.self)
                == "<x:a xmlns:x=\"urn:x\" b=\"2\" z=\"1\"><c xmlns=\"urn:d\"></c>t&#xD;</x:a>")
        let more = try document.canonical(element, without: without, prefixes: ["y"])
        #expect(
            String(decoding: more, as: UTF8.self)
                == "<x:a xmlns:x=\"urn:x\" xmlns:y=\"urn:y\" b=\"2\" z=\"1\"><c xmlns=\"urn:d\"></c>t&#xD;</x:a>"
        )
    }

    @Test func `a canonical form that repeats a namespace too often is none`() throws {
        let name = String(repeating: "x", count: 250)
        let document = try Self.document(
            "<r xmlns:x='urn:\(name)'>" + String(repeating: "<x:y/>", count: 2_000) + "</r>")
        #expect(throws: SAMLFault.tooComplex) { _ = try document.canonical(document.root) }
        let one = try document.canonical(document.root.children[0])
        #expect(one == Array("<x:y xmlns:x=\"urn:\(name)\"></x:y>".utf8))
    }

    @Test func `a namespace that is no whole address has no canonical form`() throws {
        let document = try Self.document("<a xmlns='relative'/>")
        #expect(throws: SAMLFault.canonical) { _ = try document.canonical(document.root) }
    }

    @Test(arguments: [
        ("libfrontdesk-none.so.1", "cannot be loaded"), ("libc.so.6", "has no xml"),
    ])
    func `a library that is not there is named with its package`(
        _ name: String, _ said: String
    ) throws {
        let error = #expect(throws: XMLLibraryError.self) { try XMLDocument.load(name) }
        let text = try #require(error).description
        #expect(text.contains(name) && text.contains(said))
        #expect(text.contains("apt-get install libxml2"))
    }
}
