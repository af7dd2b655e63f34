import DeskCommandLine
import DeskHTTP
import DeskNet
import DeskStore
import Glibc

/// `frontdesk export --as`: a table of a business, from a server that runs, piece by piece.
enum TableExport {
    /// The deadline of a table; a body that comes fast enough may exceed it.
    private static let lasting: Duration = .seconds(3_600)

    /// 0 when the table is whole, 1 when the server or the file failed, 2 for the command line.
    static func run(_ parsed: Parsed) async -> Int32 {
        do throws(UsageError) {
            return try await write(parsed, client: CurlClient(reach: .anywhere))
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func write(
        _ parsed: Parsed, client: any OutgoingClient
    ) async throws(UsageError) -> Int32 {
        guard let target = parsed.arguments.first, parsed.arguments.count == 1 else {
            throw UsageError("export takes one file, or -", hint: "see: frontdesk export --help")
        }
        // What a server's environment has for all commands is no wish of this one.
        for flag in ["data", "database"] where parsed.isTyped(flag) {
            throw UsageError(
                "--as asks a server that runs, and --\(flag) reads a store itself",
                hint: "leave one of them out")
        }
        let server = try RemoteServer(parsed, client: client)
        let path = try await path(parsed, on: server)
        guard target != "-" else {
            return await copy(path, of: server, to: STDOUT_FILENO) == nil ? 0 : 1
        }
        guard unsafe access(target, F_OK) != 0 else {
            throw UsageError("\(target) is there already", hint: "name a file that is not")
        }
        do throws(StoreError) {
            let file = try NewFile(at: target)
            defer { file.close() }
            guard await copy(path, of: server, to: file.descriptor) == nil else {
                try file.discard()
                return 1
            }
            try file.finish()
        } catch {
            Output.complain("\(target) cannot be written: \(error.detail)")
            return 1
        }
        Output.print("the table is in \(target)")
        return 0
    }

    /// The path of what the command line asks for.
    private static func path(
        _ parsed: Parsed, on server: RemoteServer
    ) async throws(UsageError) -> String {
        let business = try await server.business(named: parsed["business"])
        let table = parsed["table"] ?? "messages"
        let format = parsed["as"] ?? ""
        guard ["customers", "conversations", "messages", "notes"].contains(table) else {
            throw UsageError(
                "--table is customers, conversations, messages or notes, not \"\(table)\"")
        }
        guard format == "csv" || format == "jsonl" else {
            throw UsageError("--as is csv or jsonl, not \"\(format)\"")
        }
        var path = "/api/businesses/\(business)/exports/\(table)?format=\(format)"
        for flag in ["since", "until"] {
            guard let text = parsed[flag] else { continue }
            guard text.utf8.allSatisfy({ isOfTime($0) }) else {
                throw UsageError(
                    "--\(flag) is a day or a moment such as 2026-01-31T09:00:00Z, not \"\(text)\"")
            }
            path +=
                "&\(flag)="
                + text.split(separator: "+", omittingEmptySubsequences: false)
                .joined(separator: "%2B")
        }
        return path
    }

    private static func isOfTime(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || [
                UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "."),
                UInt8(ascii: "T"), UInt8(ascii: "Z"),
            ].contains(byte)
    }

    /// Copies a body to a file as it comes; what failed was complained of.
    private static func copy(
        _ path: String, of server: RemoteServer, to file: Int32
    ) async -> String? {
        let reason: String
        do {
            let answer = try await server.open(path, lasting: lasting)
            guard answer.status == .ok else {
                // Safe: a refusal without a body is shown without a reason.
                let body = (try? await answer.body.collect(upTo: 65_536)) ?? []
                let refusal = server.refusal(answer.status, body)
                Output.complain(refusal)
                return refusal.message
            }
            while let piece = try await answer.body.next() { try FileCalls.write(piece, to: file) }
            return nil
        } catch let error as StoreError {
            reason = "the file cannot be written: \(error.detail)"
        } catch {
            reason = "\(server.url) ended before the table did: \(error)"
        }
        Output.complain(reason)
        return reason
    }
}
