import DeskJSON
import DeskModel
import DeskStore

/// Finds what a file has again in a later request of a dry run: the server stores nothing of it, and knows of
/// each request only its own lines.
struct RepeatWatch {
    /// Most names that are kept; what is new behind them counts as added each time.
    static let mostNames = 2_000_000

    /// A count that the server made of a line, and what it is.
    struct Correction: Equatable {
        let type: String
        let outcome: String
    }

    private let mostNames: Int
    /// What lines of earlier requests would add or have found, by the names of their things: the lines themselves.
    private var lines: [UInt64: UInt64] = [:]

    /// Whether some names were not kept.
    private(set) var isFull = false

    init(mostNames: Int = RepeatWatch.mostNames) { self.mostNames = mostNames }

    /// Whether a line is about what an earlier request had.
    func knows(_ line: [UInt8]) -> Bool {
        Self.name(of: line).map { lines[$0.digest] != nil } ?? false
    }

    /// Keeps the names of a request's lines, and returns what of its lines would be added were they the first.
    ///
    /// - Parameter outcomes: what the server says of each line; nil of an empty one.
    mutating func add(_ request: [[UInt8]], _ outcomes: [String?]) -> [Correction] {
        var corrections: [Correction] = []
        var accepted: [(name: UInt64, line: UInt64)] = []
        for (line, outcome) in zip(request, outcomes) {
            guard let outcome, outcome != "refused", let name = Self.name(of: line) else {
                continue
            }
            let digest = Self.digest(of: line)
            if outcome == "added", let before = lines[name.digest] {
                // A message or note is never changed by a later line.
                let isSame = before == digest || ["message", "note"].contains(name.type)
                corrections.append(
                    Correction(type: name.type, outcome: isSame ? "known" : "updated"))
            }
            accepted.append((name.digest, digest))
        }
        for one in accepted {
            guard lines.count < mostNames || lines[one.name] != nil else {
                isFull = true
                continue
            }
            lines[one.name] = one.line
        }
        return corrections
    }

    /// What a line is and what its thing is called; nil where a line does not say it.
    private static func name(of line: [UInt8]) -> (type: String, digest: UInt64)? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line
        guard let root = JSONValue.parsed(text), let type = root["type"]?.string else {
            return nil
        }
        let parts: [String?]
        switch type {
        case "message", "note": parts = [root["customer"]?.string, root["id"]?.string]
        case "customer": parts = [root["customer"]?.string]
        case "label": parts = [root["name"]?.string?.lowercased()]
        case "template": parts = [root["name"]?.string]
        default: return nil
        }
        let names = parts.compactMap(\.self)
        guard names.count == parts.count else { return nil }
        // The length keeps two names apart from two others that are cut elsewhere.
        let joined = ([type] + names).map { "\($0.utf8.count):\($0)" }.joined()
        return (type, digest(of: Array(joined.utf8)))
    }

    /// Eight bytes of SHA-256: of millions of names no two are expected to share them.
    private static func digest(of bytes: [UInt8]) -> UInt64 { Digest.sha256(bytes).words[0] }
}
