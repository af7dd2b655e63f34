import DeskAssistant
import DeskModel

extension Limits {
    /// What bounds bots, suggestions, requests to the model, and assistants that connect.
    static let assistants: [LimitRow] = [
        LimitRow(
            "Bot.most", "\(Bot.most)",
            bounds: "Bots of one business, retired ones included",
            beyond: "422"),
        LimitRow(
            "Bot.maximumNameBytes", "\(Bot.maximumNameBytes)",
            bounds: "A bot's name, UTF-8",
            beyond: "422"),
        LimitRow(
            "Bot.mostIntents", "\(Bot.mostIntents)",
            bounds: "Intents for which one bot is first",
            beyond: "422"),
        LimitRow(
            "Bot.maximumIntentBytes", "\(Bot.maximumIntentBytes)",
            bounds: "Such an intent, UTF-8",
            beyond: "422"),
        LimitRow(
            "Control.maximumMetadataBytes", "\(Control.maximumMetadataBytes)",
            bounds: "Metadata for the next who controls a conversation",
            beyond: "422"),
        LimitRow(
            "Control.maximumSummaryBytes", "\(Control.maximumSummaryBytes)",
            bounds: "The summary of a hand-over, UTF-8",
            beyond: "422"),
        LimitRow(
            "Suggestion.mostPerConversation", "\(Suggestion.mostPerConversation)",
            bounds: "Suggested answers that wait in a conversation", beyond: "422"),
        LimitRow(
            "Suggestion.maximumPayloadBytes", "\(Suggestion.maximumPayloadBytes)",
            bounds: "A suggested message", beyond: "422"),
        LimitRow(
            "Suggestion.maximumRemarkBytes", "\(Suggestion.maximumRemarkBytes)",
            bounds: "The remark beside a suggested answer, UTF-8", beyond: "422"),
        LimitRow(
            "Suggestion.daysKept", "\(Suggestion.daysKept)",
            bounds: "Days for which a suggested answer waits", beyond: "it is deleted"),
        LimitRow(
            "Assistant.maximumCorrections", "\(Assistant.maximumCorrections)",
            bounds: "Times that findings are given back to the model",
            beyond: "422 `assistant_unusable`"),
        LimitRow(
            "Assistant.maximumAtOnce", "\(Assistant.maximumAtOnce)",
            bounds: "Answers of the model that one process waits for",
            beyond: "503 with `Retry-After`"),
        LimitRow(
            "Assistant.maximumOfBusiness", "\(Assistant.maximumOfBusiness)",
            bounds: "Those of them that are one business's; the last free ones are for others",
            beyond: "503 with `Retry-After`"),
        LimitRow(
            "AssistantRoutes.maximumInstructionBytes",
            "\(AssistantRoutes.maximumInstructionBytes)",
            bounds: "What an agent asks of the model, UTF-8", beyond: "422"),
        LimitRow(
            "ChatCompletions.maximumAnswerBytes", "\(ChatCompletions.maximumAnswerBytes)",
            bounds: "One answer of the model's server", beyond: "503 `assistant_unavailable`"),
        LimitRow(
            "Blanking.mostMessages", "\(Blanking.mostMessages)",
            bounds: "Messages of a conversation that the model is shown", beyond: "the newest"),
        LimitRow(
            "Blanking.mostBytesOfMessage", "\(Blanking.mostBytesOfMessage)",
            bounds: "One of them, UTF-8", beyond: "cut"),
        LimitRow(
            "Blanking.mostBytes", "\(Blanking.mostBytes)",
            bounds: "All of them together, UTF-8", beyond: "the newest"),
        LimitRow(
            "MCPRoutes.maximumBatch", "\(MCPRoutes.maximumBatch)",
            bounds: "Messages in an array to `/mcp`", beyond: "400"),
        LimitRow(
            "MCPRoutes.maximumBatchAnswerBytes", "\(MCPRoutes.maximumBatchAnswerBytes)",
            bounds: "Answers to such an array, before the last one",
            beyond: "an error for each message after it"),
        LimitRow(
            "MCPTool.mostResults", "\(MCPTool.mostResults)",
            bounds: "Results of one call of a tool", beyond: "`next` leads on"),
        LimitRow(
            "MCPThread.maximumBytesOfText", "\(MCPThread.maximumBytesOfText)",
            bounds: "The text of one message in the answer of a tool",
            beyond: "the beginning, and `isCut`"),
        LimitRow(
            "MCPThread.maximumBytes", "\(MCPThread.maximumBytes)",
            bounds: "Messages that one call of a tool answers with", beyond: "the newest"),
        LimitRow(
            "MCPLibrary.pageSize", "\(MCPLibrary.pageSize)",
            bounds: "Resources of one page of `resources/list`", beyond: "`nextCursor` leads on"),
    ]
}
