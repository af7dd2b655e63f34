/// A language that Frontdesk itself writes in.
public enum Language: String, Sendable, CaseIterable {
    /// English, also for every language that is not listed.
    case english = "en"
    /// Japanese.
    case japanese = "ja"

    /// The language of a locale such as `ja_JP`.
    public init(locale: String?) {
        let word = (locale ?? "").utf8.prefix { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        self = String(word)?.lowercased() == "ja" ? .japanese : .english
    }

    /// Heading over the chosen items of a list.
    var youSelected: String {
        switch self {
        case .english: "You Selected"
        case .japanese: "選択した項目"
        }
    }

    /// Heading over the items that were not chosen.
    var others: String {
        switch self {
        case .english: "Others"
        case .japanese: "その他"
        }
    }

    /// How an invitation is accepted.
    var yes: String {
        switch self {
        case .english: "Yes"
        case .japanese: "はい"
        }
    }

    /// Titles in a row as a line shows them.
    func row(_ titles: [String]) -> String {
        switch self {
        case .english: titles.joined(separator: ", ")
        case .japanese: titles.joined(separator: "、")
        }
    }

    /// Titles in a row as they are read out.
    func spoken(_ titles: [String]) -> String {
        guard titles.count > 1, let last = titles.last else { return titles.first ?? "" }
        return switch self {
        case .english: titles.dropLast().joined(separator: ", ") + " and " + last
        case .japanese: titles.joined(separator: "と")
        }
    }

    /// What a payment's answer is headed with.
    func payment(_ outcome: PaymentOutcome) -> String {
        switch (self, outcome) {
        case (.english, .success): "Paid"
        case (.english, .failure): "Payment failed"
        case (.english, .canceled): "Payment canceled"
        case (.japanese, .success): "支払い済み"
        case (.japanese, .failure): "支払いに失敗しました"
        case (.japanese, .canceled): "支払いを取り消しました"
        }
    }

    /// The subtitle of a payment that was not completed.
    var paymentNotCompleted: String {
        switch self {
        case .english: "Payment not completed"
        case .japanese: "支払いは完了していません"
        }
    }

    /// What a device heads a sign-in's answer with that failed.
    var authenticationFailed: String {
        switch self {
        case .english: "Authentication Failed"
        case .japanese: "認証に失敗しました"
        }
    }

    /// How a sign-in ended, as a line.
    func signIn(isDone: Bool) -> String {
        switch (self, isDone) {
        case (.english, true): "Signed in"
        case (.english, false): "Did not sign in"
        case (.japanese, true): "サインインしました"
        case (.japanese, false): "サインインしませんでした"
        }
    }

    /// A moment as a line shows it, at an offset in minutes; without one in UTC, and said so.
    func moment(_ seconds: Int64, offsetMinutes: Int?) -> String {
        let clock = CivilTime(seconds: seconds + Int64(offsetMinutes ?? 0) * 60)
        let zone = offsetMinutes == nil ? " UTC" : ""
        let minute = clock.minute < 10 ? "0\(clock.minute)" : "\(clock.minute)"
        switch self {
        case .english:
            let hour = clock.hour % 12 == 0 ? 12 : clock.hour % 12
            let half = clock.hour < 12 ? "AM" : "PM"
            return "\(clock.weekdayName), \(clock.monthName) \(clock.day), \(clock.year), "
                + "\(hour):\(minute) \(half)\(zone)"
        case .japanese:
            return "\(clock.year)年\(clock.month)月\(clock.day)日(\(clock.weekdaySign)) "
                + "\(clock.hour):\(minute)\(zone)"
        }
    }
}
