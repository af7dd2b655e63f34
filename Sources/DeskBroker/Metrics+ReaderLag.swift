package import DeskLog
package import DeskModel

extension Metrics {
    /// Shows how many events a reader of the log has not applied.
    package func showLag(of reader: ReaderName, _ read: @escaping @Sendable () -> Int64) {
        reading(
            "frontdesk_reader_lag_events",
            help:
                "Events that a reader of the log has not applied; 0 where another process runs it.",
            labels: ["reader": reader.text]
        ) { Double(read()) }
    }
}
