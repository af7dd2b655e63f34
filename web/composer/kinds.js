/** The kinds of the composer's switch, in their order, with what a device must be able to show. */
export const kinds = [
  { kind: "text", tag: "text-form", icon: "text" },
  { kind: "quickReply", tag: "quick-reply-form", icon: "quickReply", needs: "QUICK" },
  { kind: "list", tag: "list-form", icon: "list", needs: "LIST" },
  { kind: "time", tag: "time-form", icon: "time", needs: "TIME" },
  { kind: "payment", tag: "payment-form", icon: "payment" },
  { kind: "richLink", tag: "link-form", icon: "richLink" },
  { kind: "app", tag: "app-form", icon: "app" },
  { kind: "myApp", tag: "myapp-form", icon: "myApp" },
  { kind: "raw", tag: "raw-form", icon: "raw" },
];

/** Kinds whose examples come from a form. */
export const exampleKinds = kinds.filter(({ kind }) => kind !== "myApp" && kind !== "raw");

/**
 * Whether the customer's device can show a kind; an unknown list of abilities forbids nothing.
 * @param {{needs?: string}} entry
 * @param {string[]|null|undefined} capabilities
 */
export function canShow(entry, capabilities) {
  if (!entry.needs || !capabilities?.length) return true;
  return capabilities.some((name) => name.toUpperCase() === entry.needs);
}
