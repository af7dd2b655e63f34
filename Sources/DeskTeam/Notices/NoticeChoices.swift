package import DeskCalendar
package import DeskModel

/// What an agent chose to be notified of, and when not.
package struct NoticeChoices: Sendable {
    /// Hours of the day without notifications, `HH:MM`, the last excluded; they may go over midnight.
    package struct Quiet: Hashable, Sendable {
        let from, until: String

        /// Puts both ends together.
        package init(from: String, until: String) {
            self.from = from
            self.until = until
        }
    }

    private let chosen: [NoticeReason: Bool]
    private let quiet: Quiet?
    private let zones: TimeZones
    /// Whether a notification makes no sound.
    package let isSilent: Bool

    /// Puts the choices together; reasons that are not among them are as usual.
    package init(
        _ chosen: [NoticeReason: Bool] = [:], quiet: Quiet? = nil, isSilent: Bool = false,
        zones: TimeZones
    ) {
        self.chosen = chosen
        self.quiet = quiet
        self.isSilent = isSilent
        self.zones = zones
    }

    /// Whether the agent wants to be notified for a reason.
    package func wants(_ reason: NoticeReason) -> Bool { chosen[reason] ?? reason.isUsual }

    /// Whether a moment is in the quiet hours by the clocks of a zone; never in a zone that the machine does not know.
    package func isQuiet(at moment: Timestamp, in zone: String) -> Bool {
        guard let quiet, quiet.from != quiet.until, let rules = zones.rules(of: zone) else {
            return false
        }
        let seconds = Int(moment.milliseconds / 1_000) + rules.offset(at: moment)
        let minutes = CivilDate.divide(seconds, by: 86_400).rest / 60
        let clock = [minutes / 60, minutes % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return quiet.from < quiet.until
            ? clock >= quiet.from && clock < quiet.until
            : clock >= quiet.from || clock < quiet.until
    }
}
