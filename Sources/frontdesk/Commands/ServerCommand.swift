import DeskCommandLine
import DeskLog
import DeskNet
import DeskStore

/// What the commands that run a server have in common.
enum ServerCommand {
    /// Runs a server to its end; says what kept it from running.
    ///
    /// - Returns: the exit status: 0 at the end, 2 for a slip of the command line, 1 for all else.
    static func run(_ body: () async throws -> Void) async -> Int32 {
        let status = await outcome(of: body)
        await StandardErrorSink.shared.finish()
        return status
    }

    private static func outcome(of body: () async throws -> Void) async -> Int32 {
        do {
            try await body()
            return 0
        } catch let error as UsageError {
            Output.complain(error)
            return 2
        } catch let error as Installation.Failure {
            Output.complain(error.message, hint: error.hint)
            return 1
        } catch let error as StoreError {
            Output.complain(
                "the store cannot be used: \(StoreFailure.words(error))",
                hint: StoreFailure.hint(error))
            return 1
        } catch let error as NetError {
            Output.complain("the server cannot go on: \(error.reason)")
            return 1
        } catch {
            Output.complain("\(error)")
            return 1
        }
    }
}
