import Testing

@testable import DeskWeb

struct FileSetTests {
    @Test func `a set of files is looked up by bytes and never by path`() {
        let files = FileSet(["lib/dom.js": [1], "\u{e9}.js": [2]])
        #expect(files["lib/dom.js"]?.bytes == [1])
        #expect(files["lib/dom.js"]?.type == "text/javascript; charset=utf-8")
        #expect(files["e\u{301}.js"] == nil)
        #expect(files["../lib/dom.js"] == nil && files["/lib/dom.js"] == nil && files[""] == nil)
    }

    @Test func `only a name with the mark of its own content is marked`() {
        // SHA-256 of the three bytes "abc" begins with ba7816bf8f01.
        let bytes = Array("abc".utf8)
        for (name, isMarked) in [
            ("a.ba7816bf8f01.woff2", true), ("fonts/a.ba7816bf8f01.woff2", true),
            ("a.ba7816bf8f02.woff2", false), ("a.ba7816bf8f01", false), ("a.woff2", false),
        ] {
            #expect(FileSet([name: bytes])[name]?.isMarked == isMarked, "\(name)")
        }
    }
}
