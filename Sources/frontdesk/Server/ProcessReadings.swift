import DeskLog
import Glibc

/// Which version runs, and what the kernel says about this process, under the names that Prometheus' own clients use.
enum ProcessReadings {
    static func show(in metrics: Metrics) {
        metrics.reading(
            "frontdesk_build_info", help: "Always 1; the label says which version runs.",
            labels: ["version": Version.number]
        ) { 1 }
        let begin = Double(time(nil))
        metrics.reading(
            "process_start_time_seconds", help: "When the process started, since 1970."
        ) { begin }
        metrics.reading("process_resident_memory_bytes", help: "Memory in use.") {
            Double(residentBytes())
        }
        metrics.reading(
            "process_cpu_seconds_total", help: "Processor time, user and system.", isCounter: true
        ) { cpuSeconds() }
        metrics.reading("process_open_fds", help: "Open files and connections.") {
            Double(openFiles())
        }
        metrics.reading("process_max_fds", help: "Files and connections that may be open.") {
            Double(mostFiles())
        }
    }

    private static func residentBytes() -> Int {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = unsafe text.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return 0 }
        let parts = text.prefix(count).split(separator: UInt8(ascii: " "))
        guard parts.count > 1, let pages = Int(String(decoding: parts[1], as: UTF8.self)) else {
            return 0
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func cpuSeconds() -> Double {
        var usage = rusage()
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
    }

    private static func openFiles() -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Not counted: `.`, `..` and the one that looks.
        return max(0, count - 3)
    }

    private static func mostFiles() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 0
        }
        return Int(clamping: limit.rlim_cur)
    }
}
