import FoundationEssentials
import Glibc

/// Where this program lies.
enum Executable {
    /// The file's path with every link resolved; the typed path when the system does not report it.
    static var path: String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            return CommandLine.arguments.first ?? "frontdesk"
        }
    }
}
