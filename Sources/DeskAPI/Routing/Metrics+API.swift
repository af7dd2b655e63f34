import DeskLog

extension Metrics {
    /// Sign-ins with a wrong address or password.
    var signInsFailed: Counter {
        counter("frontdesk_sign_ins_failed_total", help: "Sign-ins with a wrong password.")
    }
}
