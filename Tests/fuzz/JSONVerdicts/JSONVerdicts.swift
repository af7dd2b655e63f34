import Foundation
import FuzzChecks

/// Says of each file named on a line of the input whether it is JSON, and what it says.
///
/// One line out for one in: `-` for a refused text, else the text decoded and written again.
@main
struct JSONVerdicts {
    static func main() throws {
        while let path = readLine() {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let copy = JSONCheck.copy(of: bytes) ?? [0x2D]
            FileHandle.standardOutput.write(Data(copy + [0x0A]))
        }
    }
}
