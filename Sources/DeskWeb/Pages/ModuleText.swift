/// One of our ES modules, taken apart so that it can be a function in a script that has many of them.
///
/// Not a parser of JavaScript: it knows the few forms that our modules have, each at the beginning of a line, and
/// refuses all others. `scripts/test web-modules` holds our modules to more than that.
struct ModuleText {
    /// What is the matter with a module.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let line: Int
        let reason: String
        var description: String { "\(path):\(line): \(reason)" }
    }

    /// What a module takes from another: that one's name for it and its own.
    struct Import {
        let path: String
        let names: [(theirs: String, own: String)]
    }

    /// Its path below the folder of the pages.
    let path: String
    /// The modules that it needs before it begins, in order.
    private(set) var imports: [Import] = []
    /// What others may take from it: the name that they use, and what it is called within.
    private(set) var exports: [(name: String, own: String)] = []
    /// The modules that it loads when it needs them.
    private(set) var loads: [String] = []
    /// Everything else of it, with calls of `$load` for what it loads.
    private(set) var body = ""

    /// Takes a module apart.
    init(_ text: String, at path: String) throws(Failure) {
        self.path = path
        body.reserveCapacity(text.utf8.count)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var next = 0
        while next < lines.count {
            let first = next
            var statement = lines[next]
            next += 1
            let isImport = statement.hasPrefix("import ")
            let isList = statement.hasPrefix("export {")
            if isImport || isList {
                while !statement.hasSuffix(";") {
                    guard next < lines.count else {
                        throw Failure(
                            path: path, line: first + 1, reason: "no ; after import or export")
                    }
                    statement += " " + lines[next]
                    next += 1
                }
            }
            do throws(Problem) {
                if isImport {
                    try addImport(statement)
                } else if isList {
                    try addList(statement)
                } else if statement.hasPrefix("export ") {
                    body += try exported(statement.dropFirst("export ".count)) + "\n"
                } else {
                    body += try loading(statement) + "\n"
                }
            } catch {
                throw Failure(path: path, line: first + 1, reason: error.reason)
            }
        }
    }

    private struct Problem: Error { let reason: String }

    // MARK: Imports

    /// Reads `import "./a.js"`, `import a from "./a.js"` or `import { a, b as c } from "./a.js"`.
    private mutating func addImport(_ statement: Substring) throws(Problem) {
        let clause = statement.dropFirst("import ".count).dropLast()
        guard let (names, from) = Self.parts(of: clause) else {
            imports.append(Import(path: try resolve(clause), names: []))
            return
        }
        imports.append(Import(path: try resolve(from), names: try Self.names(names, "default")))
    }

    /// Reads `export { a, b as c } from "./a.js"`.
    private mutating func addList(_ statement: Substring) throws(Problem) {
        let clause = statement.dropFirst("export ".count).dropLast()
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
            let words = part.split(separator: " ")
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
        return text.utf8.allSatisfy { isNamePart($0) }
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
        guard quoted.count > 2, quoted.first == "\"", quoted.last == "\"",
            quoted.dropFirst().first == "."
        else { throw Problem(reason: "\(quoted) is no relative address in double quotes") }
        var folders = path.split(separator: "/").dropLast()
        for part in quoted.dropFirst().dropLast().split(separator: "/") {
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

    /// A declaration without its `export`.
    private mutating func exported(_ declaration: Substring) throws(Problem) -> String {
        if declaration.hasPrefix("default {") {
            exports.append(("default", "$default"))
            return "const $default = " + (try loading(declaration.dropFirst("default ".count)))
        }
        for keyword in ["const ", "function ", "async function ", "class "] {
            guard declaration.hasPrefix(keyword) else { continue }
            let name = declaration.dropFirst(keyword.count).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
            }
            guard Self.isName(name) else { break }
            exports.append((String(name), String(name)))
            return try loading(declaration)
        }
        // What is assigned to later would stay as it was for who took it.
        throw Problem(reason: "neither const, function, class nor `default {` is exported")
    }

    // MARK: What is loaded later

    /// A line with `$load` for each `import(…)` in it that is no comment's.
    private mutating func loading(_ line: Substring) throws(Problem) -> String {
        let call = "import(\""
        guard line.contains(call) else { return String(line) }
        var rest = line
        var text = ""
        while let place = rest.firstRange(of: call) {
            text += rest[..<place.lowerBound]
            rest = rest[place.upperBound...]
            guard let end = rest.firstIndex(of: "\"") else {
                throw Problem(reason: "an address without an end")
            }
            if Self.isComment(text[...]) {
                text += call
                continue
            }
            let target = try resolve("\"\(rest[..<end])\"")
            loads.append(target)
            text += "$load(\"\(target)"
            rest = rest[end...]
        }
        return text + rest
    }

    /// Whether what follows a line's beginning is in a comment.
    private static func isComment(_ beginning: Substring) -> Bool {
        let first = beginning.drop { $0 == " " }
        if first.hasPrefix("*") || first.hasPrefix("//") { return true }
        guard let open = beginning.ranges(of: "/*").last else { return beginning.contains(" // ") }
        return !beginning[open.upperBound...].contains("*/")
    }
}
