public import DeskAPI
public import DeskGateway

/// The one place where the customers' routes meet the gateway.
extension CustomerDevice: DeviceWorks {}
