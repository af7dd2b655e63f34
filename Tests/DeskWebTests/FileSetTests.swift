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
}
