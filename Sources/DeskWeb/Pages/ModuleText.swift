/// One of our ES modules, read so that it can be a function in a script that has many of them.
///
/// Not a parser of JavaScript: it knows the few forms that our modules have, each at the beginning of a line, and
/// refuses all others. `scripts/test web-modules` holds our modules to more than that.
package struct ModuleText {
    /// What is the matter with a module.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let line: Int
        let reason: String
        var description: String { "\(path):\(line): \(reason)" }
    }

    /// What a module imports of another: that one's name for it and its own.
    struct Import {
        let path: String
        let names: [(theirs: String, own: String)]
    }

    /// Its path below the folder of the pages.
    let path: String
    /// The modules that it needs before it begins, in order.
    private(set) var imports: [Import] = []
    /// What others may import of it: the name that they use, and what it is called within.
    private(set) var exports: [(name: String, own: String)] = []
    /// The modules that it loads when it needs them.
    private(set) var loads: [String] = []
    /// Everything else of it, with calls of `$load` for what it loads.
    private(set) var body: [UInt8] = []

    /// Reads a module.
    init(_ bytes: [UInt8], at path: String) throws(Failure) {
        self.path = path
        body.reserveCapacity(bytes.count + 1)
        var start = 0
        var line = 1
        while start < bytes.count {
            if let end = Self.endOfComment(bytes, from: start) {
                line += bytes[start..<end].count { $0 == Self.newline }
                start = end
                continue
            }
            let end: Int
            do throws(Problem) {
                end = try read(bytes, from: start)
            } catch {
                throw Failure(path: path, line: line, reason: error.reason)
            }
            line += 1
            // Only imports and lists of exports are longer than a line.
            if bytes[start] == UInt8(ascii: "i") || bytes[start] == UInt8(ascii: "e") {
                line += bytes[start..<end - 1].count { $0 == Self.newline }
            }
            start = end
        }
    }

    private struct Problem: Error { let reason: String }

    private static let newline = UInt8(ascii: "\n")
    private static let call = Array("import(\"".utf8)

    /// A script without the comments that have their lines to themselves.
    package static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var start = 0
        while start < bytes.count {
            if let end = endOfComment(bytes, from: start) {
                start = end
                continue
            }
            let end = bytes[start...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.count
            text += bytes[start..<end]
            start = end
        }
        return text
    }

    /// Where the next line begins after a comment that has its lines to itself; nil for anything else.
    ///
    /// Browsers need no comment, and they are a quarter of what would cross the wire. In a text in backticks a line
    /// that begins so goes as well: of styles that is right, of another text `scripts/check-web` finds it.
    private static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int? {
        func endOfLine(_ place: Int) -> Int {
            bytes[place...].firstIndex(of: newline) ?? bytes.count
        }
        let first = bytes[start...].firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.count
        if has("//", in: bytes, at: first) { return min(endOfLine(first) + 1, bytes.count) }
        guard has("/*", in: bytes, at: first) else { return nil }
        var place = first + 2
        while !has("*/", in: bytes, at: place) {
            guard place < bytes.count else { return nil }
            place += 1
        }
        let end = endOfLine(place)
        guard end == place + 2 else { return nil }
        return min(end + 1, bytes.count)
    }

    /// Reads a line, or the lines of an import or of a list of exports; returns where the next one begins.
    private mutating func read(_ bytes: [UInt8], from start: Int) throws(Problem) -> Int {
        let isImport = Self.has("import ", in: bytes, at: start)
        guard isImport || Self.has("export {", in: bytes, at: start) else {
            guard Self.has("export ", in: bytes, at: start) else {
                return try addLine(bytes, from: start)
            }
            return try addLine(bytes, from: try addExport(bytes, from: start))
        }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < bytes.count, end + 1 == bytes.count || bytes[end + 1] == Self.newline else {
            throw Problem(
                reason: "no ; at the end of the line after an import or a list of exports")
        }
        let statement = String(decoding: bytes[start..<end], as: UTF8.self)
        let clause = Substring(statement).dropFirst("import ".utf8.count)
        if isImport { try addImport(clause) } else { try addList(clause) }
        return min(end + 2, bytes.count)
    }

    private static func has(_ words: StaticString, in bytes: [UInt8], at start: Int) -> Bool {
        guard start + words.utf8CodeUnitCount <= bytes.count else { return false }
        return words.withUTF8Buffer { unsafe bytes[start...].starts(with: $0) }
    }

    // MARK: Imports

    /// Reads `import "./a.js"`, `import a from "./a.js"` or `import { a, b as c } from "./a.js"`.
    private mutating func addImport(_ clause: Substring) throws(Problem) {
        guard let (names, from) = Self.parts(of: clause) else {
            imports.append(Import(path: try resolve(clause), names: []))
            return
        }
        imports.append(Import(path: try resolve(from), names: try Self.names(names, "default")))
    }

    /// Reads `export { a, b as c } from "./a.js"`.
    private mutating func addList(_ clause: Substring) throws(Problem) {
        guard let (names, from) = Self.parts(of: clause) else {
            throw Problem(reason: "a list of exports without `from`")
        }
        let place = imports.count
        imports.append(Import(path: try resolve(from), names: []))
        for (theirs, own) in try Self.names(names, nil) {
            exports.append((own, "$\(place).\(theirs)"))
        }
    }

    private static func parts(of clause: Substring) -> (names: Substring, from: Substring)? {
        guard let place = clause.firstRange(of: " from ") else { return nil }
        return (clause[..<place.lowerBound], clause[place.upperBound...])
    }

    /// The names of a clause; `defaultName` is what a name without braces stands for.
    private static func names(
        _ clause: Substring, _ defaultName: String?
    ) throws(Problem) -> [(theirs: String, own: String)] {
        guard clause.hasPrefix("{"), clause.hasSuffix("}") else {
            guard let defaultName, isName(clause) else {
                throw Problem(
                    reason: "`\(clause)` is no list of names in braces and no single name")
            }
            return [(defaultName, String(clause))]
        }
        var names: [(String, String)] = []
        for part in clause.dropFirst().dropLast().split(separator: ",") {
            let words = part.split { $0 == " " || $0 == "\n" }
            guard let first = words.first else { continue }
            guard isName(first), words.count == 1 || words.count == 3 && words[1] == "as" else {
                throw Problem(reason: "`\(part)` is no name")
            }
            names.append((String(first), String(words.last ?? first)))
        }
        return names
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
            return false
        }
        return text.utf8.allSatisfy(isNamePart)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The path of a quoted address that is relative to this module.
    private func resolve(_ quoted: Substring) throws(Problem) -> String {
        let address = quoted.dropFirst().dropLast()
        guard quoted.first == "\"", quoted.last == "\"", address.first == "." else {
            throw Problem(reason: "\(quoted) is no relative address in double quotes")
        }
        var folders = path.split(separator: "/").dropLast()
        for part in address.split(separator: "/") {
            switch part {
            case ".": break
            case "..":
                guard folders.popLast() != nil else {
                    throw Problem(reason: "\(quoted) leads out of the folder")
                }
            default: folders.append(part)
            }
        }
        return folders.joined(separator: "/")
    }

    // MARK: Exports

    /// Notes what a declaration exports; returns where the declaration begins without what stands for that.
    private mutating func addExport(_ bytes: [UInt8], from start: Int) throws(Problem) -> Int {
        let declaration = start + "export ".utf8.count
        if Self.has("default {", in: bytes, at: declaration) {
            exports.append(("default", "$default"))
            body += Array("const $default = ".utf8)
            return declaration + "default ".utf8.count
        }
        let keywords: [StaticString] = ["const ", "function ", "async function ", "class "]
        for keyword in keywords where Self.has(keyword, in: bytes, at: declaration) {
            let name = bytes[(declaration + keyword.utf8CodeUnitCount)...].prefix {
                Self.isNamePart($0)
            }
            let text = String(decoding: name, as: UTF8.self)
            guard Self.isName(text[...]) else { break }
            exports.append((text, text))
            return declaration
        }
        // What is assigned to later would stay as it was for who imported it.
        throw Problem(reason: "neither const, function, class nor `default {` is exported")
    }

    // MARK: What is loaded later

    /// Adds a line, with `$load` for each `import(…)` in it that is no comment's.
    private mutating func addLine(_ bytes: [UInt8], from start: Int) throws(Problem) -> Int {
        var copied = start
        var place = start
        while place < bytes.count, bytes[place] != Self.newline {
            defer { place += 1 }
            guard bytes[place] == UInt8(ascii: "("), place >= start + Self.call.count - 2 else {
                continue
            }
            let begin = place - (Self.call.count - 2)
            guard bytes[begin...].starts(with: Self.call),
                !Self.isComment(bytes[start..<begin])
            else { continue }
            let address = bytes[(place + 2)...].prefix {
                $0 != UInt8(ascii: "\"") && $0 != Self.newline
            }
            let target = try resolve("\"\(String(decoding: address, as: UTF8.self))\"")
            loads.append(target)
            body += bytes[copied..<begin]
            body += Array("$load(\"\(target)".utf8)
            copied = address.endIndex
        }
        body += bytes[copied..<place]
        body.append(Self.newline)
        return min(place + 1, bytes.count)
    }

    /// Whether what follows a line's beginning is in a comment.
    private static func isComment(_ beginning: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: beginning, as: UTF8.self)
        let first = text.drop { $0 == " " }
        if first.hasPrefix("*") || first.hasPrefix("//") { return true }
        guard let open = text.ranges(of: "/*").last else { return text.contains(" // ") }
        return !text[open.upperBound...].contains("*/")
    }
}
