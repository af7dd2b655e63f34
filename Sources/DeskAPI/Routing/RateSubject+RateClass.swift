import DeskWeb

extension RateSubject {
    /// The bucket that a route of this class draws from.
    func counted(by rate: RouteTable.RateClass) -> RateSubject {
        switch (rate, self) {
        case (.settings, .customer(let conversation)): .settings(conversation)
        case (.validation, _): .validation(self)
        case (.search, _): .search(self)
        default: self
        }
    }
}
