import DeskAPI
import DeskCommandLine
import DeskHTTP
import DeskModel

/// One `--limit NAME=VALUE`.
struct LimitSetting: Sendable, Equatable {
    let name: String
    let value: String

    /// Reads `name=value`.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw UsageError(
                "--limit takes NAME=VALUE, not \"\(text)\"",
                hint: "for example --limit key-messages-per-second=200")
        }
        name = String(parts[0])
        value = String(parts[1])
    }

    /// Every name that may be set, as it is written on the command line.
    static var names: [String] {
        APILimits.entries.filter(\.isSettable).map(\.name)
            + ServerLimits.entries.filter(\.isSettable).map(\.name)
    }

    /// Changes the limit that is named.
    func apply(to limits: inout APILimits, _ server: inout ServerLimits) throws(UsageError) {
        let known = APILimits.entries.first { $0.name.utf8.elementsEqual(name.utf8) }
        if let known {
            guard known.isSettable else {
                throw Self.isFixed(name, "\(APILimits()[keyPath: known.place])")
            }
            guard let number = Int(value), limits.set(name, to: number) else {
                throw UsageError(
                    "--limit \(name) takes a number from 1 to \(known.most), not \"\(value)\"")
            }
            return
        }
        do throws(ServerLimits.NameError) {
            try server.set(name: name, value: value)
        } catch {
            switch error {
            case .unknownName:
                let near = Nearest.find(name, among: Self.names)
                throw UsageError(
                    "unknown limit \"\(name)\"",
                    hint: near.map { "did you mean \($0)?" } ?? "docs/limits.md lists them")
            case .fixed(let value): throw Self.isFixed(name, value)
            case .badValue:
                throw UsageError(
                    "--limit \(name) does not accept \"\(value)\"",
                    hint: "it is now \(server.text(of: name) ?? "not set")")
            }
        }
    }

    private static func isFixed(_ name: String, _ value: String) -> UsageError {
        UsageError(
            "the limit \(name) is fixed at \(value) and cannot be set",
            hint: "frontdesk limits lists those that can")
    }
}
