import DeskDelivery
import DeskModel

extension Limits {
    static let pushes: [LimitRow] = [
        LimitRow(
            "PushSubscription.mostPerConversation", "\(PushSubscription.mostPerConversation)",
            bounds: "Browsers of a conversation that are notified of answers",
            beyond: "the one that said so first is no longer notified"),
        LimitRow(
            "PushSubscription.endpointBytes", "\(PushSubscription.endpointBytes)",
            bounds: "The address of such a browser at its push service", beyond: "422"),
        LimitRow(
            "PhoneRoutes.subscriptionBytes", "\(PhoneRoutes.subscriptionBytes)",
            bounds: "The JSON body by which a browser says so", beyond: "413"),
        LimitRow(
            "PushBounds.mostAtOnce", "\(PushBounds.mostAtOnce)",
            bounds: "Attempts to push at once", beyond: "further messages wait"),
        LimitRow(
            "PushBounds.mostOfHost", "\(PushBounds.mostOfHost)",
            bounds: "Of these, attempts at one push service", beyond: "further messages wait"),
        LimitRow(
            "PushBounds.mostWaiting", "\(PushBounds.mostWaiting)",
            bounds: "Messages to browsers that wait, of each browser only the newest",
            beyond: "the oldest is given up"),
    ]
}
