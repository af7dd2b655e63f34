import DeskCommandLine
import Glibc

/// Where a PostgreSQL database is: a URI or connection string of libpq's, without its password.
struct DatabaseAddress: Sendable, Equatable {
    /// What libpq is given, and what may be shown.
    let text: String
    /// The password that was in it, as it was written there; nil when there was none.
    let written: Substring?
    /// The password; nil means that libpq looks for it in its own places, such as `PGPASSFILE`.
    let password: String?

    /// Separates the password from the rest.
    init(_ given: String) {
        let found =
            Self.isURI(given) ? Self.passwordOfURI(given) : Self.passwordOfString(given)
        guard let found else {
            (text, written, password) = (given, nil, nil)
            return
        }
        written = given[found.value]
        password = found.password
        text = String(given[..<found.whole.lowerBound] + given[found.whole.upperBound...])
    }

    /// Largest file that holds a password, in bytes.
    private static let passwordBytes = 4_096

    /// Gives libpq the password of the address or of a file, and hides the one of the address from those who
    /// list this machine's processes.
    ///
    /// Thread: before any other begins.
    func usePassword(orOf file: String?) throws(UsageError) {
        var found = password
        if let file { found = try Self.password(inFile: file) }
        guard let found else { return }
        // Safe: no other thread reads the environment yet.
        _ = unsafe setenv("PGPASSWORD", found, 1)
        if let written { hide(written) }
    }

    private static func password(inFile path: String) throws(UsageError) -> String {
        let bytes = try FileText.read(path, upTo: passwordBytes)
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else {
            throw UsageError("\(path) has no password in its first line")
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func hide(_ secret: Substring) {
        let secret = Array(secret.utf8)
        for place in 1..<max(1, Int(CommandLine.argc)) {
            // Safe: the arguments are the process's own, and as long as they say.
            guard let argument = unsafe CommandLine.unsafeArgv[place] else { continue }
            let count = unsafe strlen(argument)
            let bytes = unsafe UnsafeMutableBufferPointer(start: argument, count: count)
            guard count >= secret.count, !secret.isEmpty else { continue }
            for start in 0...(count - secret.count) {
                let isHere = secret.indices.allSatisfy {
                    unsafe UInt8(bitPattern: bytes[start + $0]) == secret[$0]
                }
                guard isHere else { continue }
                for offset in secret.indices {
                    unsafe bytes[start + offset] = CChar(bitPattern: UInt8(ascii: "*"))
                }
            }
        }
    }
}

// MARK: Reading

extension DatabaseAddress {
    /// Where a password stands: what is removed, its value in there, and what it means.
    private struct Found {
        let whole: Range<String.Index>
        let value: Range<String.Index>
        let password: String
    }

    /// Whether a text names a database and not a directory.
    static func isDatabase(_ text: String) -> Bool {
        isURI(text) || ["host=", "dbname=", "service="].contains { text.contains($0) }
    }

    private static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// `postgresql://user:password@host/name?password=…`, as libpq reads it.
    private static func passwordOfURI(_ text: String) -> Found? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let rest = text[scheme.upperBound...]
        if let end = rest.firstIndex(where: { "@/".contains($0) }), rest[end] == "@",
            let colon = rest[..<end].firstIndex(of: ":")
        {
            let value = rest.index(after: colon)..<end
            return Found(whole: colon..<end, value: value, password: decoded(text[value]))
        }
        guard let query = rest.firstIndex(of: "?") else { return nil }
        var start = rest.index(after: query)
        while start < rest.endIndex {
            let end = rest[start...].firstIndex(of: "&") ?? rest.endIndex
            if rest[start..<end].hasPrefix("password=") {
                let value = rest.index(start, offsetBy: "password=".count)..<end
                // With the sign before it, or the one behind it where it is the first of several.
                let isFirst = rest.index(before: start) == query
                let whole =
                    isFirst && end < rest.endIndex
                    ? start..<rest.index(after: end) : rest.index(before: start)..<end
                return Found(whole: whole, value: value, password: decoded(text[value]))
            }
            start = end < rest.endIndex ? rest.index(after: end) : end
        }
        return nil
    }

    /// `host=… password='…'`: a backslash makes the next character itself.
    private static func passwordOfString(_ text: String) -> Found? {
        var place = text.startIndex
        func skipSpaces() {
            while place < text.endIndex, text[place].isWhitespace {
                place = text.index(after: place)
            }
        }
        while true {
            skipSpaces()
            let start = place
            guard let equals = text[place...].firstIndex(of: "=") else { return nil }
            let keyword = text[place..<equals].filter { !$0.isWhitespace }
            place = text.index(after: equals)
            skipSpaces()
            let value = place
            let isQuoted = place < text.endIndex && text[place] == "'"
            if isQuoted { place = text.index(after: place) }
            var meant = ""
            while place < text.endIndex, isQuoted ? text[place] != "'" : !text[place].isWhitespace {
                if text[place] == "\\", text.index(after: place) < text.endIndex {
                    place = text.index(after: place)
                }
                meant.append(text[place])
                place = text.index(after: place)
            }
            if isQuoted, place < text.endIndex { place = text.index(after: place) }
            if keyword == "password" {
                return Found(whole: start..<place, value: value..<place, password: meant)
            }
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
