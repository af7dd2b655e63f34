import DeskCommandLine
import DeskHTTP
import DeskJSON
import DeskModel
import DeskNet
import DeskScript

/// `frontdesk simulate`: lets the customers of a script write to the provider behind a gateway.
enum SimulateCommand {
    /// Longest answer that is read, in bytes.
    private static let maximumAnswerBytes = 64 * 1_024 * 1_024

    /// 0 when every step was done, 1 when one was not, 2 when nothing could be begun.
    static func run(_ parsed: Parsed) async -> Int32 {
        do {
            return try await simulate(parsed)
        } catch {
            Output.complain(error)
            return 2
        }
    }

    private static func simulate(_ parsed: Parsed) async throws(UsageError) -> Int32 {
        guard parsed.arguments.count == 1, let path = parsed.arguments.first else {
            throw UsageError(
                "name one script", hint: "for example: frontdesk simulate order.txt --check")
        }
        let bytes = try FileText.read(path, upTo: CustomerScript.maximumBytes)
        do throws(ScriptError) {
            _ = try CustomerScript(parsing: bytes)
        } catch {
            let lines = error.faults.map { "\(path): \($0)" }
            throw UsageError(lines.joined(separator: "\n"))
        }
        if parsed.claim("check") == true {
            Output.print("\(path): the script can be read")
            return 0
        }
        let answer = try await post(bytes, to: try address(parsed))
        for line in answer["transcript"]?.elements.compactMap(\.string) ?? [] {
            Output.print(line)
        }
        guard answer["passed"]?.bool == true else {
            let line = answer["failure"]?["line"]?.int ?? 0
            Output.print("FAILED in line \(line) of \(path)")
            return 1
        }
        Output.print("passed, seed \(answer["seed"]?.string ?? "")")
        return 0
    }

    private static func address(_ parsed: Parsed) throws(UsageError) -> String {
        guard var gateway = parsed["gateway"] else {
            throw UsageError(
                "--gateway is needed: where the ephemeral gateway is",
                hint: "for example --gateway http://127.0.0.1:$(cat port)")
        }
        while gateway.hasSuffix("/") { gateway.removeLast() }
        let seed = parsed["seed"]
        if let seed, UInt64(seed) == nil {
            throw UsageError("--seed is a whole number from 0 on, not \"\(seed)\"")
        }
        return gateway + "/sandbox/scripts" + (seed.map { "?seed=\($0)" } ?? "")
    }

    private static func post(
        _ bytes: [UInt8], to url: String
    ) async throws(UsageError) -> JSONValue {
        let request = OutgoingRequest(
            .post, url, headers: ["Content-Type": "text/plain"], body: .bytes(bytes),
            timeout: .seconds(660), answerLimit: maximumAnswerBytes)
        let answer: OutgoingAnswer
        let body: [UInt8]
        do {
            answer = try await CurlClient(reach: .anywhere).send(request)
            body = try await answer.body.collect(upTo: maximumAnswerBytes)
        } catch {
            throw UsageError(
                "\(url) does not answer: \(error)",
                hint: "is the gateway running? frontdesk gateway --ephemeral")
        }
        // Safe: a body that is no JSON is reported below.
        guard let document = try? JSONDocument(parsing: body, limits: .unlimited) else {
            throw UsageError(
                "\(url) answered \(answer.status.code) and no JSON",
                hint: "is it an ephemeral gateway of this version?")
        }
        guard answer.status == .ok else {
            throw UsageError(
                "\(url) answered \(answer.status.code): "
                    + (document.root["detail"]?.string ?? "no reason"))
        }
        return document.root
    }
}
