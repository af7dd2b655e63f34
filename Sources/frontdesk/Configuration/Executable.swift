import FoundationEssentials
import Glibc

/// Where this program lies.
enum Executable {
    /// The file's path with every link resolved; what was typed when the system does not tell.
    static var path: String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            return CommandLine.arguments.first ?? "frontdesk"
        }
    }
}
