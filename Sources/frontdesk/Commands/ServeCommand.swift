import DeskAPI
import DeskCommandLine
import DeskModel
import DeskNet
import DeskSandbox
import DeskStore
import DeskWeb
import FoundationEssentials

/// `frontdesk serve`: puts the server together, says where it is, runs it.
enum ServeCommand {
    static func run(_ parsed: Parsed, executable: String, _ signals: SignalWatch) async -> Int32 {
        await ServerCommand.run {
            let configuration = try ServeConfiguration(parsed)
            let server = try await Installation.build(configuration, executable: executable)
            try PortFile(path: configuration.portFile).write(server.server.port)
            let isInCheckout = ShareFolders.isInCheckout(executable: executable)
            Output.draw(try await greeting(of: server, isInCheckout: isInCheckout).text)
            try await server.run(signals)
        }
    }

    private static func greeting(
        of server: Installation, isInCheckout: Bool
    ) async throws -> Greeting {
        let origin = server.services.publicURL.origin
        let isTerminal = Output.isTerminal
        let needsOwner = try await server.store.agents(of: nil).isEmpty
        var setupLink: String?
        if needsOwner, isTerminal {
            // Only the newest link works.
            try await server.store.endSessions(of: .setup, author: .server)
            setupLink = try await makeSetupLink(server)
        }
        let isOffered = server.sandbox.isOffered
        let entry = isOffered ? server.businesses.sandbox : server.businesses.own
        return Greeting(
            publicURL: server.services.publicURL, data: server.configuration.data,
            needsOwner: needsOwner, setupLink: setupLink, hasSandbox: isOffered,
            sandboxLink: isTerminal
                ? server.sandbox.link(at: origin, from: server.services.time.now()) : nil,
            entryLink: entry.map { "\(origin)/b/\($0.id.text)" }, isInCheckout: isInCheckout,
            isTerminal: isTerminal)
    }

    private static func makeSetupLink(_ server: Installation) async throws(Installation.Failure)
        -> String
    {
        do throws(Problem) {
            return try await OneTimeLinks(services: server.services).makeSetupLink()
        } catch {
            throw Installation.Failure("the owner's link could not be made: \(error.detail)")
        }
    }
}
