/// The rulebook's own limits, for the lists of limits.
public enum MessageLimits {
    /// Longest URL of an app message in bytes.
    public static let appURLBytes = Judging.maximumAppURLBytes
    /// Largest size that a payload may state for an attachment, in bytes.
    public static let attachmentBytes = Judging.maximumAttachmentBytes
    /// Largest picture of a rich link in bytes, decoded.
    public static let linkPictureBytes = Judging.maximumLinkPictureBytes
    /// Most errors, and apart from them warnings, of one judgement.
    public static let findings = Judging.maximumFindings
}
