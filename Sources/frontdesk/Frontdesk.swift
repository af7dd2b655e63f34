@main struct Frontdesk { static func main() {} }
