import DeskDelivery
import DeskModel

extension Limits {
    static let pushes: [LimitRow] = [
        LimitRow(
            "PushSubscription.mostPerConversation", "\(PushSubscription.mostPerConversation)",
            bounds: "Browsers of a conversation that are notified of answers",
            beyond: "the one that said so first is no longer notified"),
        LimitRow(
            "PushSubscription.mostPerAgent", "\(PushSubscription.mostPerAgent)",
            bounds: "Browsers in which an agent is notified while no console is in use",
            beyond: "the one without a console for the longest time is no longer notified"),
        LimitRow(
            "PushSubscription.agentDays", "\(PushSubscription.agentDays)",
            bounds: "Days without a console after which such a browser is no longer notified",
            beyond: "the next console in it says so again"),
        LimitRow(
            "PushBounds.mostNotices", "\(PushBounds.mostNotices)",
            bounds: "Notifications of an agent in 60 s while no console is in use",
            beyond: "one says that there is news in several conversations"),
        LimitRow(
            "PushSubscription.endpointBytes", "\(PushSubscription.endpointBytes)",
            bounds: "The address of such a browser at its push service", beyond: "422"),
        LimitRow(
            "PushFields.mostBytes", "\(PushFields.mostBytes)",
            bounds: "The JSON body by which a browser says so", beyond: "413"),
        LimitRow(
            "PushBounds.mostAtOnce", "\(PushBounds.mostAtOnce)",
            bounds: "Attempts to push at once", beyond: "further messages wait"),
        LimitRow(
            "PushBounds.mostOfHost", "\(PushBounds.mostOfHost)",
            bounds: "Of these, attempts at one push service", beyond: "further messages wait"),
        LimitRow(
            "PushBounds.mostOfBrowser", "\(PushBounds.mostOfBrowser)",
            bounds: "Of these, attempts at one browser", beyond: "further messages wait"),
        LimitRow(
            "PushBounds.mostWaiting", "\(PushBounds.mostWaiting)",
            bounds:
                "Messages to browsers that wait, of each browser and conversation only the newest",
            beyond: "the oldest is given up, an agent's before a customer's"),
    ]
}
