/// Puts the modules of a page into few files: a browser that is far away waits for each round of requests, not for bytes.
///
/// The modules stay as they are written; each becomes a function that a small table calls once, when what it imports
/// is there, so that each is one for all who import it. A page gets one file of all that its script imports. What is
/// loaded when it is needed is a part of its own, with what the first file has not, and so are the texts of a language.
struct ScriptJoiner {
    /// Part of the addresses under which browsers keep files for ever: another one with every change of what is made
    /// of the same modules.
    static let form = "a"

    private var modules: [String: ModuleText] = [:]
    private let read: (String) -> [UInt8]?

    /// - Parameter read: the bytes of a file; nil where there is none.
    init(reading read: @escaping (String) -> [UInt8]?) { self.read = read }

    /// Joins what a script needs; the files by their paths: the script's own, and below a folder of its name the parts.
    ///
    /// - Throws: the first module that is not of a form that is known, lacks what another imports of it, or needs itself.
    mutating func join(_ entry: String) throws(ModuleText.Failure) -> [String: [UInt8]] {
        let first = try closure(of: [entry], beside: [])
        let known = Set(first)
        var parts: [String: [String]] = [:]
        var places: [String: String] = [:]
        var waiting = try loads(of: first).filter { !known.contains($0) }
        // The texts of a language come together: all of them are needed at once.
        for target in waiting {
            guard let language = Self.language(of: target) else { continue }
            places[target] = "\(language).js"
            parts["\(language).js", default: []].append(target)
        }
        for (name, targets) in parts { parts[name] = try closure(of: targets, beside: known) }
        while let target = waiting.popLast() {
            guard places[target] == nil, !known.contains(target) else { continue }
            places[target] = target
            let part = try closure(of: [target], beside: known)
            parts[target] = part
            waiting += try loads(of: part)
        }
        let folder = Self.folder(of: entry)
        var files = [entry: try main(first, places, from: entry)]
        for (name, part) in parts { files[folder + name] = try self.part(part) }
        return files
    }

    /// Where the parts of a script lie.
    static func folder(of entry: String) -> String {
        (entry.hasSuffix(".js") ? entry.dropLast(".js".count) : entry[...]) + "/"
    }

    /// The folder of a language's texts; nil for another module.
    private static func language(of path: String) -> Substring? {
        guard path.hasPrefix("i18n/"), let end = path.lastIndex(of: "/") else { return nil }
        return path[..<end]
    }

    // MARK: The graph

    private mutating func module(_ path: String) throws(ModuleText.Failure) -> ModuleText {
        if let known = modules[path] { return known }
        guard let bytes = read(path) else {
            throw ModuleText.Failure(path: path, line: 0, reason: "no such module")
        }
        let made = try ModuleText(bytes, at: path)
        modules[path] = made
        return made
    }

    /// What some modules need, each after all that it needs itself, without those that are there already.
    private mutating func closure(
        of entries: [String], beside known: Set<String>
    ) throws(ModuleText.Failure) -> [String] {
        var order: [String] = []
        var done = known
        var open: Set<String> = []
        var stack = entries.reversed().map { (path: $0, isLeft: false) }
        while let (path, isLeft) = stack.popLast() {
            if isLeft {
                open.remove(path)
                if done.insert(path).inserted { order.append(path) }
                continue
            }
            guard !done.contains(path) else { continue }
            open.insert(path)
            stack.append((path, true))
            for one in try module(path).imports.reversed() where !done.contains(one.path) {
                guard !open.contains(one.path) else {
                    throw ModuleText.Failure(
                        path: path, line: 0, reason: "it needs \(one.path), which needs it")
                }
                stack.append((one.path, false))
            }
        }
        return order
    }

    /// What some modules load when they need it, each once, in order.
    private mutating func loads(of paths: [String]) throws(ModuleText.Failure) -> [String] {
        var known: Set<String> = []
        var found: [String] = []
        for path in paths {
            for target in try module(path).loads where known.insert(target).inserted {
                found.append(target)
            }
        }
        return found
    }

    // MARK: The text

    private mutating func main(
        _ paths: [String], _ places: [String: String], from entry: String
    ) throws(ModuleText.Failure) -> [UInt8] {
        let name = Self.folder(of: entry).split(separator: "/").last ?? ""
        let up = String(repeating: "../", count: entry.utf8.count { $0 == UInt8(ascii: "/") })
        let table = places.sorted { $0.key < $1.key }
            .map { "  \"\($0)\": \"./\(name)/\($1)\",\n" }.joined()
        var text = Array(
            """
            // Made by the server of the modules below; they are served by themselves, too.
            const $places = {
            \(table)};
            const $made = {}, $kept = {};
            const $use = (path) => $kept[path] ??= $made[path]();
            const $load = async (path) => {
              if (path in $made) return $use(path);
              try {
                (await import($places[path])).default($made, $use, $load);
              } catch (failure) {
                // A node of a version without parts answers while versions change; texts need no other module.
                if (!path.startsWith("i18n/")) throw failure;
                return import(`\(up.isEmpty ? "./" : up)${path}`);
              }
              return $use(path);
            };

            """.utf8)
        for path in paths { try add(path, to: &text) }
        return text + Array("await $use(\"\(entry)\");\n".utf8)
    }

    private mutating func part(_ paths: [String]) throws(ModuleText.Failure) -> [UInt8] {
        var text = Array("export default ($made, $use, $load) => {\n".utf8)
        for path in paths { try add(path, to: &text) }
        return text + Array("};\n".utf8)
    }

    /// Adds a module as a function that makes what it exports; in parentheses a browser compiles it at once.
    private mutating func add(_ path: String, to text: inout [UInt8]) throws(ModuleText.Failure) {
        let module = try module(path)
        var head = "$made[\"\(path)\"] ??= (async () => {\n"
        if !module.imports.isEmpty {
            let places = module.imports.indices.map { "$\($0)" }.joined(separator: ", ")
            let calls = module.imports.map { "$use(\"\($0.path)\")" }.joined(separator: ", ")
            head += "const [\(places)] = await Promise.all([\(calls)]);\n"
        }
        for (place, one) in module.imports.enumerated() where !one.names.isEmpty {
            let exports = try self.module(one.path).exports
            for (theirs, _) in one.names where !exports.contains(where: { $0.name == theirs }) {
                throw ModuleText.Failure(
                    path: path, line: 0, reason: "\(one.path) does not export \(theirs)")
            }
            let names = one.names.map { $0 == $1 ? $0 : "\($0): \($1)" }.joined(separator: ", ")
            head += "const { \(names) } = $\(place);\n"
        }
        let exports = module.exports.map { $0 == $1 ? $0 : "\($0): \($1)" }.joined(separator: ", ")
        text += Array(head.utf8)
        text += module.body
        text += Array("return { \(exports) };\n});\n".utf8)
    }
}
