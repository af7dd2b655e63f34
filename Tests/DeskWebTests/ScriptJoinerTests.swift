import FoundationEssentials
import Testing

@testable import DeskWeb

/// The modules of a page as few files.
@Suite struct ScriptJoinerTests {
    private static func module(_ text: String) throws -> ModuleText {
        try ModuleText(Array(text.utf8), at: "a/b/own.js")
    }

    private static func body(_ module: ModuleText) -> String {
        String(decoding: module.body, as: UTF8.self)
    }

    @Test func `each form of an import is read, and nothing of it stays`() throws {
        let module = try Self.module(
            """
            import "./first.js";
            import only from "../second.js";
            import { one, two as other } from "../../third.js";
            import {
              three,
              four,
            } from "./c/fourth.js";
            const kept = one + only;
            """)
        #expect(
            module.imports.map(\.path) == [
                "a/b/first.js", "a/second.js", "third.js", "a/b/c/fourth.js",
            ])
        #expect(
            module.imports.map { $0.names.map { "\($0.theirs) \($0.own)" } } == [
                [], ["default only"], ["one one", "two other"], ["three three", "four four"],
            ])
        #expect(Self.body(module) == "const kept = one + only;\n")
    }

    private static let declarations: [(text: String, body: String, exports: [String])] = [
        ("export const a = 1;", "const a = 1;\n", ["a a"]),
        ("export function a() {", "function a() {\n", ["a a"]),
        ("export async function a(b) {", "async function a(b) {\n", ["a a"]),
        ("export class A extends B {", "class A extends B {\n", ["A A"]),
        ("export default {", "const $default = {\n", ["default $default"]),
        ("export { a, b as c } from \"./d.js\";", "", ["a $0.a", "c $0.b"]),
        ("  export = 1;", "  export = 1;\n", []),
    ]

    @Test(arguments: declarations)
    func `an export becomes a declaration and a name`(
        text: String, body: String, exports: [String]
    ) throws {
        let module = try Self.module(text)
        #expect(Self.body(module) == body)
        #expect(module.exports.map { "\($0.name) \($0.own)" } == exports)
    }

    private static let loads: [(line: String, body: String)] = [
        (
            "const a = await import(\"../c.js\");", "const a = await $load(\"a/c.js\");"
        ),
        (
            "f([import(\"./d.js\"), import(\"./e.js\")]);",
            "f([$load(\"a/b/d.js\"), $load(\"a/b/e.js\")]);"
        ),
        (" * @param {import(\"./d.js\").D} d", " * @param {import(\"./d.js\").D} d"),
        (
            "go(/** @type {import(\"./d.js\").D} */ (await import(\"./e.js\")));",
            "go(/** @type {import(\"./d.js\").D} */ (await $load(\"a/b/e.js\")));"
        ),
    ]

    @Test(arguments: loads)
    func `what is loaded later is asked for by its path, but in comments`(
        line: String, body: String
    ) throws {
        #expect(Self.body(try Self.module(line)) == body + "\n")
    }

    private static let comments: [(String, String)] = [
        ("// a\nf();\n  // b\ng(); // c", "f();\ng(); // c\n"),
        ("/** a */\nf();\n  /*\n   * b\n   */\ng();", "f();\ng();\n"),
        ("/** @type {A} */ (f)();", "/** @type {A} */ (f)();\n"),
        ("/* a\n */ f();", "/* a\n */ f();\n"),
        ("/* never ends\nf();", "/* never ends\nf();\n"),
        ("f(); // a", "f(); // a\n"), ("// a", ""), ("/* a */", ""), ("/*/", "/*/\n"),
        ("f(\n  \"// a\",\n\n);", "f(\n  \"// a\",\n\n);\n"),
    ]

    @Test(arguments: comments)
    func `a comment that has its lines to itself stays out`(text: String, body: String) throws {
        #expect(Self.body(try Self.module(text)) == body)
    }

    @Test(arguments: comments)
    func `a script that is no module goes out without such comments`(text: String, body: String) {
        let script = ModuleText.withoutComments(Array((text + "\n").utf8))
        #expect(String(decoding: script, as: UTF8.self) == body)
    }

    @Test func `comments count as lines where a form is refused`() {
        let failure = #expect(throws: ModuleText.Failure.self) {
            try Self.module("// a\n/*\n * b\n */\nexport let a = 1;")
        }
        #expect(failure?.line == 5)
    }

    private static let refused: [String] = [
        "import { a } from './b.js';", "import { a } from \"b\";", "import * as a from \"./b.js\";",
        "import { a-b } from \"./c.js\";", "import { a } from \"./b.js\"", "export let a = 1;",
        "export var a;", "export default class {}", "export { a };", "export const { a } = b;",
        "import \"../../../out.js\";",
    ]

    @Test(arguments: refused)
    func `another form is refused with its place`(text: String) {
        let failure = #expect(throws: ModuleText.Failure.self) {
            try Self.module("const a = 1;\n" + text)
        }
        #expect(failure?.path == "a/b/own.js" && failure?.line == 2)
    }

    private static func join(_ files: [String: String]) throws -> [String: String] {
        var joiner = ScriptJoiner { files[$0].map { Array($0.utf8) } }
        return try joiner.join("main.js").mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `each module is in one file once, after what it imports`() throws {
        let files = try Self.join([
            "main.js": "import \"./b.js\";\nimport \"./a.js\";\nf(() => import(\"./later.js\"));",
            "a.js": "import { c } from \"./c.js\";", "b.js": "import { c } from \"./c.js\";",
            "c.js": "export const c = 1;", "later.js": "import \"./c.js\";\nimport \"./own.js\";",
            "own.js": "",
        ])
        #expect(Set(files.keys) == ["main.js", "main/later.js"])
        func made(in name: String) -> [String] {
            (files[name] ?? "").split(separator: "\n").filter { $0.hasPrefix("$made[\"") }
                .compactMap { $0.split(separator: "\"").dropFirst().first.map { String($0) } }
        }
        #expect(made(in: "main.js") == ["c.js", "b.js", "a.js", "main.js"])
        #expect(made(in: "main/later.js") == ["own.js", "later.js"])
        #expect(files["main.js"]?.contains("\"later.js\": \"./main/later.js\"") == true)
    }

    @Test func `the texts of a language are one file, which has none of another`() throws {
        let files = try Self.join([
            "main.js": """
            import "./a.js";
            g({ en: () => import("./i18n/en/m.js"), ja: () => import("./i18n/ja/m.js") });
            """,
            "a.js":
                "g({ en: () => import(\"./i18n/en/a.js\"), ja: () => import(\"./i18n/ja/a.js\") });",
            "i18n/en/m.js": "export default { a: \"words\" };",
            "i18n/en/a.js": "export default { b: \"more\" };",
            "i18n/ja/m.js": "export default { a: \"言葉\" };",
            "i18n/ja/a.js": "export default { b: \"更\" };",
        ])
        #expect(
            Set(files.keys) == [
                "main.js", "main/i18n/en.js", "main/i18n/ja.js",
            ])
        let english = try #require(files["main/i18n/en.js"])
        #expect(english.contains("words") && english.contains("more") && !english.contains("言"))
    }

    @Test func `a circle, a name that is not exported and a file that is not there are refused`() {
        let wrong: [([String: String], String)] = [
            (["main.js": "import \"./a.js\";", "a.js": "import \"./main.js\";"], "needs"),
            (["main.js": "import { a } from \"./a.js\";", "a.js": ""], "does not export a"),
            (["main.js": "import \"./a.js\";"], "no such module"),
        ]
        for (files, reason) in wrong {
            let failure = #expect(throws: ModuleText.Failure.self) { try Self.join(files) }
            #expect(failure?.reason.contains(reason) == true, "\(String(describing: failure))")
        }
    }

    private static func web() throws -> FileSet {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        return try FileSet(folder: here.path + "/../../web")
    }

    @Test func `every page's script of ours can be joined`() throws {
        let web = try Self.web()
        let scripts = JoinedScripts.entries(of: web, at: "/web/")
        #expect(scripts.count > 5)
        var joiner = ScriptJoiner { web[$0]?.bytes }
        for script in scripts { _ = try joiner.join(script) }
    }

    @Test func `a page has the address of its joined script, which is packed and kept for ever`()
        async throws
    {
        let pages = PageFiles(try Self.web(), at: "/web/")
        let page = try #require(pages.files["phone/index.html"]?.bytes)
        let script = "\(pages.marked)phone/phone-app.js"
        #expect(String(decoding: page, as: UTF8.self).contains("\"/web/\(script)\""))
        let found = try #require(await pages.find(script))
        #expect(found.isFinal && found.file.packed?.bytes != nil)
        #expect(
            await pages.find("\(pages.marked)phone/phone-app/i18n/en.js")?.isFinal == true)
        #expect(await pages.find("~0000000000000000/phone/phone-app.js")?.isFinal == false)
        for path in ["phone/none.js", "phone/phone-app/none.js", "phone/phone-app/"] {
            #expect(await pages.find(path) == nil, "\(path)")
        }
    }

    @Test func `what cannot be joined has the browser load its modules one by one`() async throws {
        let page = "<script type=\"module\" src=\"/web/a/main.js\"></script>"
        let pages = PageFiles(
            FileSet([
                "a/index.html": Array(page.utf8), "a/main.js": Array("import \"./b.js\";".utf8),
                "a/b.js": Array("export let b = 1;".utf8),
            ]), at: "/web/")
        let found = try #require(await pages.find("\(pages.marked)a/main.js"))
        #expect(found.file.bytes == Array("import \"./b.js\";".utf8))
    }
}
