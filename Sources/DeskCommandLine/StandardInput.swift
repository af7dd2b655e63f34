import Glibc

/// What is piped into the program.
package enum StandardInput {
    /// Reads to the end, or up to a number of bytes.
    package static func readAll(upTo limit: Int) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while all.count < limit {
            let count = unsafe piece.withUnsafeMutableBytes { bytes in
                unsafe read(STDIN_FILENO, bytes.baseAddress, bytes.count)
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { break }
            all += piece.prefix(max(0, count))
        }
        return Array(all.prefix(limit))
    }
}
