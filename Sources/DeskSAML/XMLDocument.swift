import CXML
import DeskBytes

/// A document in XML that another wrote, read by libxml2 without network, entities and a document type.
///
/// Not for use from several threads at a time; nothing of it leaves the function that reads it.
@safe final class XMLDocument {
    /// Most bytes of a document.
    static let maximumBytes = 256 * 1_024
    /// Most elements, attributes and namespaces of a document, together.
    static let maximumNodes = 8_192
    /// Most bytes of a canonical form, in which each element may state its namespaces anew.
    static let maximumCanonicalBytes = maximumBytes

    private let handle: UnsafeMutableRawPointer
    /// Its outermost element.
    var root: XMLElement { unsafe XMLElement(self, frontdesk_xml_root(handle)) }

    /// Reads a document.
    ///
    /// - Throws: `tooLong`, `notXML`, `documentType` or `tooComplex`.
    init(_ bytes: [UInt8]) throws(SAMLFault) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        var reason: Int32 = 0
        let found = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe frontdesk_xml_read(
                    bytes.baseAddress, Int32(bytes.count), Int32(Self.maximumNodes), &reason)
            }
        }
        guard let found = unsafe found else {
            switch Int(reason) {
            case FRONTDESK_XML_TYPED: throw .documentType
            case FRONTDESK_XML_LARGE: throw .tooComplex
            default: throw .notXML
            }
        }
        unsafe handle = found
    }

    deinit { unsafe frontdesk_xml_free(handle) }

    /// Loads libxml2, once in a process; everything else here needs it.
    ///
    /// - Throws: what is missing, in words for the operator.
    static func load(_ library: String = FRONTDESK_XML_LIBRARY) throws(XMLLibraryError) {
        var fault = [CChar](repeating: 0, count: 512)
        guard unsafe frontdesk_xml_load(library, &fault, fault.count) != 0 else { return }
        let said = fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw XMLLibraryError(
            description: "SAML cannot be read: \(String(decoding: said, as: UTF8.self)); "
                + "Debian's package libxml2 has \(FRONTDESK_XML_LIBRARY): apt-get install libxml2")
    }

    /// The form of an element over which a signature is made (Exclusive XML Canonicalization 1.0, without
    /// comments).
    ///
    /// - Throws: `tooComplex` where it is longer than ``maximumCanonicalBytes``, `canonical` where there is none.
    /// - Parameters:
    ///   - without: an element that is left out, as an enveloped signature is.
    ///   - prefixes: those of an `InclusiveNamespaces`.
    func canonical(
        _ element: XMLElement, without: XMLElement? = nil, prefixes: [String] = []
    ) throws(SAMLFault) -> [UInt8] {
        let texts = prefixes.map { Array($0.utf8CString) }
        let (made, bytes) = unsafe withPointers(to: texts[...], []) { pointers in
            var made: Int32 = -1
            let bytes = unsafe [UInt8](
                unsafeUninitializedCapacity: Self.maximumCanonicalBytes
            ) { room, count in
                unsafe room.withMemoryRebound(to: CChar.self) { room in
                    unsafe made = frontdesk_xml_canonical(
                        handle, element.handle, without?.handle, pointers, room.baseAddress,
                        Int32(room.count))
                }
                count = max(0, Int(made))
            }
            return (made, bytes)
        }
        guard made >= 0 else { throw made == -1 ? .tooComplex : .canonical }
        return Array(bytes)
    }

    /// Calls a function with the addresses of texts in C, and a nil behind them.
    private func withPointers<Result>(
        to texts: ArraySlice<[CChar]>, _ found: [UnsafePointer<CChar>?],
        _ use: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        guard let first = texts.first else { return unsafe use(found + [nil]) }
        return unsafe first.withUnsafeBufferPointer { text in
            unsafe withPointers(to: texts.dropFirst(), found + [text.baseAddress], use)
        }
    }
}

/// Why libxml2 cannot be used.
package struct XMLLibraryError: Error, Sendable, CustomStringConvertible {
    /// What is missing and what to install.
    package let description: String
}

/// An element of a document, which it keeps.
@safe struct XMLElement {
    private let document: XMLDocument
    fileprivate let handle: UnsafeMutableRawPointer

    fileprivate init(_ document: XMLDocument, _ handle: UnsafeMutableRawPointer) {
        self.document = document
        unsafe self.handle = handle
    }

    /// Whether it has this name in this namespace.
    func isNamed(_ name: XMLName) -> Bool {
        unsafe String(cString: frontdesk_xml_name(handle)).utf8.elementsEqual(name.local.utf8)
            && String(cString: frontdesk_xml_space(handle)).utf8
                .elementsEqual(name.namespace.rawValue.utf8)
    }

    /// The elements in it, without those of other levels.
    var children: [XMLElement] {
        var all: [XMLElement] = []
        var next = unsafe frontdesk_xml_first(handle)
        while let child = unsafe next {
            unsafe all.append(XMLElement(document, child))
            unsafe next = frontdesk_xml_next(child)
        }
        return all
    }

    /// Whether it and all in it are at most so many elements.
    func has(atMost most: Int) -> Bool {
        var left = most
        var open = [self]
        while let one = open.popLast() {
            left -= 1
            guard left >= 0 else { return false }
            open += one.children
        }
        return true
    }

    /// The elements in it of a name.
    func children(_ name: XMLName) -> [XMLElement] { children.filter { $0.isNamed(name) } }

    /// The one element in it of a name; nil for none and for several.
    func only(_ name: XMLName) -> XMLElement? {
        let found = children(name)
        return found.count == 1 ? found.first : nil
    }

    /// The value of an attribute without a namespace.
    func attribute(_ name: String) -> String? {
        guard let value = unsafe frontdesk_xml_attribute(handle, name) else { return nil }
        return unsafe String(validatingCString: value)
    }

    /// What stands in it without the white space around; nil where anything but text is in it.
    var text: String? {
        guard let value = unsafe frontdesk_xml_text(handle),
            let text = unsafe String(validatingCString: value)
        else { return nil }
        let bytes = Array(text.utf8)
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return UTF8Text.text(Array(bytes[first...last]))
    }

    /// The bytes that stand in it as base64, with white space anywhere; nil for what is none.
    var base64: [UInt8]? {
        guard let text else { return nil }
        let letters = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return Base64.decode(String(decoding: letters, as: UTF8.self))
    }
}

/// The namespaces of what is read here.
enum XMLNamespace: String {
    case assertion = "urn:oasis:names:tc:SAML:2.0:assertion"
    case protocols = "urn:oasis:names:tc:SAML:2.0:protocol"
    case metadata = "urn:oasis:names:tc:SAML:2.0:metadata"
    case signature = "http://www.w3.org/2000/09/xmldsig#"
    case canonical = "http://www.w3.org/2001/10/xml-exc-c14n#"
}

/// A name in a namespace.
struct XMLName {
    let namespace: XMLNamespace
    let local: String

    static func assertion(_ local: String) -> XMLName {
        XMLName(namespace: .assertion, local: local)
    }
    static func protocols(_ local: String) -> XMLName {
        XMLName(namespace: .protocols, local: local)
    }
    static func metadata(_ local: String) -> XMLName { XMLName(namespace: .metadata, local: local) }
    static func signature(_ local: String) -> XMLName {
        XMLName(namespace: .signature, local: local)
    }
}
