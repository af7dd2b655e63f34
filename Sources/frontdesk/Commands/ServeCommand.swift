import DeskAPI
import DeskModel
import DeskNet
import DeskStore
import DeskStoreSQLite
import FoundationEssentials

/// `frontdesk serve`: puts the house together, says where it is, runs it.
enum ServeCommand {
    static func run(_ parsed: Parsed, executable: String, _ signals: SignalWatch) async -> Int32 {
        await ServerCommand.run {
            let configuration = try ServeConfiguration(parsed)
            let house = try await House.build(configuration, executable: executable)
            try PortFile(path: configuration.portFile).write(house.server.port)
            Output.print(try await greeting(of: house).text)
            try await house.run(signals)
        }
    }

    private static func greeting(of house: House) async throws -> Greeting {
        let origin = house.services.publicURL.origin
        let isTerminal = Output.isTerminal
        let needsOwner = try await house.store.agents(of: nil).isEmpty
        var setupLink: String?
        if needsOwner, isTerminal {
            // Only the newest link works.
            try await house.store.endSessions(of: .setup)
            setupLink = try await makeSetupLink(house)
        }
        let isOffered = house.sandbox.isOffered
        let entry = isOffered ? house.businesses.sandbox : house.businesses.own
        return Greeting(
            publicURL: house.services.publicURL, data: house.configuration.data,
            needsOwner: needsOwner, setupLink: setupLink, hasSandbox: isOffered,
            sandboxLink: isTerminal ? house.sandbox.link(at: origin) : nil,
            entryLink: entry.map { "\(origin)/b/\($0.id.text)" }, isTerminal: isTerminal)
    }

    private static func makeSetupLink(_ house: House) async throws(House.Failure) -> String {
        do throws(Problem) {
            return try await OneTimeLinks(services: house.services).makeSetupLink()
        } catch {
            throw House.Failure("the owner's link could not be made: \(error.detail)")
        }
    }
}
