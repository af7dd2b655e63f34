import DeskCommandLine
import DeskHTTP
import DeskModel
import DeskNet

/// `frontdesk listen`: brings a server's events to a local program, signed as an endpoint gets them.
enum ListenCommand {
    /// 0 when it was ended, 1 when the server refused, 2 when the command line was wrong.
    static func run(_ parsed: Parsed, _ signals: SignalWatch) async -> Int32 {
        let forwarding: EventForwarding
        let local: LocalSigner
        let first: String?
        do throws(UsageError) {
            first = try Self.first(parsed)
            local = try LocalSigner(parsed)
            forwarding = try Self.forwarding(
                parsed, local, client: CurlClient(reach: .anywhere), time: .system)
        } catch {
            Output.complain(error)
            return 2
        }
        Output.print(
            "Events of \(forwarding.server.url) are posted to \(forwarding.receiver.url)\n"
                + local.sentence)
        let end = await following(forwarding, after: first, signals)
        let (delivered, refused) = (end.delivered, end.refused)
        if let failure = end.failure { Output.complain(failure) }
        Output.print("\(delivered) accepted, \(refused) not accepted")
        if let last = end.last { Output.print("to go on here later: --after \(last)") }
        return end.failure == nil ? 0 : 1
    }

    /// What the command line asks for.
    static func forwarding(
        _ parsed: Parsed, _ local: LocalSigner, client: any OutgoingClient, time: TimeSource
    ) throws(UsageError) -> EventForwarding {
        let server = try RemoteServer(parsed, client: client)
        guard let target = parsed["forward-to"] else {
            throw UsageError(
                "--forward-to is needed: the address of the program that is to get the events",
                hint: "for example --forward-to http://127.0.0.1:3000/webhooks")
        }
        let url = try RemoteServer.address(target, of: "--forward-to")
        return EventForwarding(
            server: server,
            receiver: LocalReceiver(url: url, signer: local.signer, client: client, time: time),
            types: types(parsed), time: time, print: { Output.print($0) }, note: { Output.note($0) }
        )
    }

    /// The event that `--after` names; nil for now.
    ///
    /// - Throws: where it is no event's id: the server would begin with what happens from now on.
    private static func first(_ parsed: Parsed) throws(UsageError) -> String? {
        guard let text = parsed["after"] else { return nil }
        guard EventID(text) != nil else {
            throw UsageError(
                "--after is the id of an event, not \"\(text)\"",
                hint: "for example --after 5f3a9c2e7b10d468-1042, as listen prints it when it ends")
        }
        return text
    }

    /// The types that `--events` names, separated by commas or given several times.
    private static func types(_ parsed: Parsed) -> Set<String> {
        let named = (parsed.values["events"] ?? []).flatMap { $0.split(separator: ",") }
            .map { String($0.filter { !$0.isWhitespace }) }
        let known = EventType.known.map(\.rawValue)
        for type in named where !known.contains(type) {
            let near = Nearest.find(type, among: known)
            // A later server may have it.
            Output.note(
                "this program knows no event of type \(type)"
                    + (near.map { "; did you mean \($0)?" } ?? ""))
        }
        return Set(named)
    }

    /// Follows until a signal comes or the server refuses.
    private static func following(
        _ forwarding: EventForwarding, after id: String?, _ signals: SignalWatch
    ) async -> EventForwarding.End {
        await withTaskGroup(of: EventForwarding.End?.self) { group in
            group.addTask { await forwarding.run(after: id) }
            group.addTask {
                _ = await signals.requests.first { $0 == .end }
                return nil
            }
            var end: EventForwarding.End?
            for await ended in group {
                group.cancelAll()
                end = ended ?? end
            }
            return end ?? EventForwarding.End()
        }
    }
}
