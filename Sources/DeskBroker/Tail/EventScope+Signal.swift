import DeskModel
import DeskStore

extension EventScope {
    /// Whether readers of this scope may receive a signal; presence never leaves the business.
    func includes(_ signal: Signal) -> Bool {
        switch self {
        case .everything, .businesses, .conversation: true
        case .customer:
            switch signal.kind {
            case .presence, .read, .availability, .choice, .draft, .preferences, .view, .rule,
                .approval:
                false
            case .typing:
                if case .customer = signal.who { false } else { true }
            }
        }
    }
}

extension StreamItem {
    /// Whether it is a typing signal.
    var isTyping: Bool {
        if case .signal(let signal) = self { signal.kind == .typing } else { false }
    }
}
