/// What bounds the scripts that a server plays in real time.
public enum ScriptLimits {
    /// Scripts that run at once; one more is refused.
    public static let atOnce = 4
    /// Ended runs that can still be read; older ones are forgotten.
    public static let kept = 10
    /// Minutes for which one script runs; then it is stopped.
    public static let longestMinutes = 60
    /// Minutes for which a step waits for the business where the script sets no time: people
    /// answer too.
    public static let patienceMinutes = 5
}
