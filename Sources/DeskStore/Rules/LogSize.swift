/// How long a store's write-ahead log may grow, in bytes.
public enum LogSize {
    /// From here on it is moved into the database beside the writing.
    public static let checkpointBytes = 4_194_304
    /// From here on nothing is written until it is moved.
    public static let maximumBytes = 67_108_864
}
