/** Pages of questions; written as JSON, from an example. */
import { interactive } from "../payloads.js";

const example = (context) => interactive(context, {
  dynamic: {
    version: "1.2", template: "messageForms",
    data: {
      startPageIdentifier: "size", showSummary: true,
      pages: [
        {
          pageIdentifier: "size", type: "select", title: "Size", subtitle: "Which size do you wear?",
          multipleSelection: false, nextPageIdentifier: "note",
          items: ["S", "M", "L"].map((size) => ({ title: size, value: size, identifier: `size-${size}` })),
        },
        {
          pageIdentifier: "note", type: "input", title: "Note", subtitle: "Anything else?", submitForm: true,
          options: { required: false, inputType: "multiline", maximumCharacterCount: 300 },
        },
      ],
    },
  },
}, null, {
  receivedMessage: { title: "A few questions", style: "icon" }, replyMessage: { title: "Answers", style: "icon" },
});

export default { kind: "form", example };
