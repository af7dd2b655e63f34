import DeskJSON
import Foundation

/// Our parse, our verdict and Foundation's parse of each payload: nanoseconds of CPU each.
///
/// Usage: rules-bench FOLDER SECONDS NAME...
@main
struct RulesBench {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count > 3, let seconds = Double(words[2]) else { exit(2) }
        for name in words[3...] {
            let bytes = try read("\(words[1])/\(name).json")
            var library = SchemaLibrary()
            try library.register(try read("\(words[1])/\(name).schema.json"), at: "bench:schema")
            let schema = try library.compile("bench:schema")
            let document = try JSONDocument(parsing: bytes)
            report("parse", name, seconds) { try JSONDocument(parsing: bytes).root.count > 0 }
            report("verdict", name, seconds) { schema.isValid(document.root) }
            report("both", name, seconds) {
                schema.isValid(try JSONDocument(parsing: bytes).root)
            }
            let data = Data(bytes)
            report("Foundation", name, seconds) {
                try JSONSerialization.jsonObject(with: data) is [String: Any]
            }
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Repeats the work until its time is spent and prints the mean; it has to come out true.
    private static func report(
        _ what: String, _ name: String, _ seconds: Double, _ work: () throws -> Bool
    ) {
        var done = 0
        var right = 0
        var batch = 1
        var spent = 0.0
        while spent < seconds {
            let start = cpuSeconds()
            for _ in 0..<batch where (try? work()) == true { right += 1 }
            spent += cpuSeconds() - start
            done += batch
            if spent < seconds / 10 { batch *= 2 }
        }
        precondition(right == done, "\(what) of \(name) failed")
        print(what, name, spent / Double(done) * 1e9)
    }

    private static func cpuSeconds() -> Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
}
