import DeskLog
import DeskModel
public import DeskStore

/// Reads the log into the search index for as long as the house stands.
///
/// It asks whether there is news instead of being told, so that accepting a message has nothing to
/// do with it.
public struct SearchFollower: Sendable {
    /// Time between two looks at the log when nothing is left to read.
    static let rest = Duration.milliseconds(100)
    /// Time after a failure.
    static let pause = Duration.seconds(5)

    private let services: Services
    private let index: any SearchIndex

    /// Follows the services' store.
    public init(services: Services, index: any SearchIndex) {
        self.services = services
        self.index = index
    }

    /// Runs until it is cancelled.
    public func run() async {
        while !Task.isCancelled {
            let rest = await step()
            if rest == .zero { continue }
            do { try await services.time.sleep(rest) } catch { return }
        }
    }

    /// Takes one batch; returns how long to rest after it.
    func step() async -> Duration {
        // The last room on the disk is for what was not acknowledged yet.
        guard !services.disk.isFull else { return Self.pause }
        do throws(StoreError) {
            let advance = try await index.advance()
            if advance.isAnew { services.log.warning("search_made_anew") }
            for position in advance.damaged {
                services.log.error("search_skipped", ["position": .number(Int(position.value))])
            }
            return advance.mayGoOn ? .zero : Self.rest
        } catch {
            switch error.code {
            case .closed: break
            case .damaged, .refused:
                services.log.warning("search_damaged", ["detail": .text(error.detail)])
            case .busy, .full, .failed, .tooNew, .overloaded:
                services.log.error("search_failed", ["code": .text(error.code.rawValue)])
            }
            return Self.pause
        }
    }
}
