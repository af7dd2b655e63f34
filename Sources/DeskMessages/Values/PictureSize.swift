/// What a picture's header says it measures.
public struct PictureSize: Hashable, Sendable {
    /// Most pixels of a picture that is accepted; beyond it 422, because a small file can state a
    /// picture that fills the memory of the device that opens it.
    public static let maximumPixels: UInt64 = 40_000_000

    /// Pixels from left to right.
    public let width: UInt32
    /// Pixels from top to bottom.
    public let height: UInt32

    /// Puts the two together.
    public init(width: UInt32, height: UInt32) {
        self.width = width
        self.height = height
    }

    /// How many pixels there are.
    public var pixels: UInt64 { UInt64(width) * UInt64(height) }

    /// Whether a picture of this size is refused.
    public var isTooLarge: Bool { pixels > Self.maximumPixels }
}
