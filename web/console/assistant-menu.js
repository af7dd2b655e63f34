import { api } from "../lib/api.js";
import { adopt, h, sheet } from "../lib/dom.js";
import { language, registerStrings, t } from "../lib/i18n.js";
import { openMenu, openPopup } from "../lib/popup.js";
import { shutBy } from "../composer/composer-frame.js";
import { canShow, kinds } from "../composer/kinds.js";
import { takesSendKey } from "../composer/sending.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";

await registerStrings({ en: () => import("../i18n/en/assistant.js"), ja: () => import("../i18n/ja/assistant.js") });

/** A model on a small machine needs its time; the server's own deadline is shorter. */
const TIMEOUT_SECONDS = 600;
const KINDS = ["list", "quickReply", "time", "form", "text"];

const styles = sheet(`
.assistant-wish { display: grid; gap: 10px; width: 320px; max-width: 100%; padding: 8px; }
.assistant-wish h2 { font-size: var(--fd-text-md); }
.assistant-wish .fd-label { display: grid; gap: 4px; }
.assistant-wish textarea { min-height: 72px; resize: vertical; }
.assistant-wish .fd-error:empty { display: none; }
.assistant-wish p { margin: 0; color: var(--fd-ink-2); font-size: var(--fd-text-xs); }
.assistant-button[aria-busy="true"] { animation: assistant-busy 1.4s ease-in-out infinite; color: var(--fd-accent-text); }
@keyframes assistant-busy { 50% { opacity: 0.35; } }
@media (prefers-reduced-motion: reduce) { .assistant-button[aria-busy="true"] { animation: none; } }
`);

/**
 * Opens the menu of what the operator's model can be asked for.
 * @param {HTMLElement} anchor
 * @param {import("./assistance.js").Assistance} assistance
 */
export function openAssistantMenu(anchor, assistance) {
  adopt(styles);
  if (anchor.getAttribute("aria-busy") === "true") return showToast(t("assistant.busy"));
  const id = assistance.conversation?.id;
  // The conversation may have been left while this was loaded.
  if (!id) return undefined;
  // Of what cannot be sent nothing is drafted.
  const drafts = shutBy(assistance.boxes.composer?.conversation) ? [] : [
    { text: t("assistant.draft"), note: t("assistant.draftNote"), run: () => ask(anchor, assistance, id, { kind: "text" }) },
    { text: t("assistant.card"), note: t("assistant.cardNote"), run: () => openWish(anchor, assistance, id) },
    { isLine: true },
  ];
  return openMenu(anchor, [
    ...drafts,
    { text: t("assistant.summarise"), note: t("assistant.summariseNote"), run: () => summarise(anchor, assistance, id) },
  ], { label: t("assistant.menu", { model: assistance.state.session.assistant.model }), side: "above" });
}

/** What was wished for in a conversation, until something came of it: a model may be away, or its answers unusable. */
const wishes = new Map();

/** What kind of message is wanted, and what it is to say. */
function openWish(anchor, assistance, id) {
  const keep = () => wishes.set(id, { kind: kind.value, instruction: wish.value });
  const kind = h("select", { class: "fd-input" }, shownKinds(assistance.boxes.composer?.conversation).map((one) => h("option", { value: one }, t(`assistant.kind.${one}`))));
  const wish = h("textarea", { class: "fd-input", maxlength: 2000, required: true, placeholder: t("assistant.wishExample") });
  const problem = h("p", { class: "fd-error", role: "alert" });
  const popup = openPopup(anchor, h("form", { class: "assistant-wish", novalidate: true, onInput: keep, onChange: keep, onKeydown: (event) => {
    if (takesSendKey(event)) event.currentTarget.requestSubmit();
  }, onSubmit: (event) => {
    event.preventDefault();
    const instruction = wish.value.trim();
    if (!instruction) {
      problem.textContent = t("assistant.wishMissing");
      return wish.focus();
    }
    popup.close();
    ask(anchor, assistance, id, { kind: kind.value, instruction });
  } }, h("h2", null, t("assistant.cardTitle")),
  h("label", { class: "fd-label" }, t("assistant.kind"), kind), h("label", { class: "fd-label" }, t("assistant.wish"), wish),
  problem, h("p", null, t("assistant.privacy", { model: assistance.state.session.assistant.model })),
  h("button", { type: "submit", class: "fd-button is-primary" }, t("assistant.make"))), { label: t("assistant.cardTitle"), side: "above" });
  const kept = wishes.get(id);
  if (kept) [kind.value, wish.value] = [kept.kind, kept.instruction];
  wish.focus();
}

/** Those that the customer's device can show. */
function shownKinds(conversation) {
  return KINDS.filter((one) => canShow(kinds.find(({ kind }) => kind === one), conversation?.customer?.capabilities));
}

/** About the conversation that the menu was opened in: the page may have gone on to another since. */
async function ask(anchor, assistance, id, body) {
  const made = await waiting(anchor, assistance, id, () => api.post(`/api/conversations/${id}/assistant/draft`, body, { timeoutSeconds: TIMEOUT_SECONDS }));
  if (made && body.instruction && wishes.get(id)?.instruction.trim() === body.instruction) wishes.delete(id);
  if (assistance.conversation?.id === id) await assistance.read();
}

/**
 * The summary goes into the box of notes, where the agent changes it and leaves it for a colleague.
 * @param {HTMLElement} anchor
 * @param {import("./assistance.js").Assistance} assistance
 * @param {string} id the conversation's
 */
export async function summarise(anchor, assistance, id) {
  if (anchor.getAttribute("aria-busy") === "true") return showToast(t("assistant.busy"));
  if (assistance.conversation?.id !== id) return showToast(t("assistant.openFirst"));
  const answer = await waiting(anchor, assistance, id, () =>
    api.post(`/api/conversations/${id}/assistant/summary`, { language: language() }, { timeoutSeconds: TIMEOUT_SECONDS }));
  if (!answer) return;
  if (assistance.conversation?.id !== id) return showToast(t("assistant.goneOn"));
  const { note } = assistance.boxes;
  const { activeElement } = document;
  // It may have taken minutes: what is typed elsewhere meanwhile is not meant for the note.
  const isElsewhere = activeElement?.matches("input, textarea, select") && !note.contains(activeElement);
  if (!isElsewhere) assistance.boxes.startNote();
  note.text = [note.text.trim(), answer.text].filter(Boolean).join("\n\n");
  note.dispatchEvent(new Event("input", { bubbles: true }));
  if (isElsewhere) showToast(t("assistant.summaryReady"), { more: { action: t("assistant.openNote"), run: () => assistance.boxes.startNote() } });
}

/** Shows that the model is asked, and why it gave nothing. */
async function waiting(anchor, assistance, id, work) {
  adopt(styles);
  anchor.setAttribute("aria-busy", "true");
  assistance.sayWaiting(t("assistant.asking", assistance.state.session.assistant), id);
  try {
    return await work();
  } catch (problem) {
    showToast(refusalSentence(problem, {
      assistant_unavailable: t("assistant.unavailable"), assistant_unusable: t("assistant.unusable"),
    }));
    return null;
  } finally {
    anchor.removeAttribute("aria-busy");
    assistance.sayWaiting();
  }
}

/**
 * A message in the reader's language.
 * @param {any} message
 */
export async function translateMessage(message) {
  const { text } = await api.post(`/api/conversations/${message.conversation}/assistant/translation`,
    { message: message.id, language: language() }, { timeoutSeconds: TIMEOUT_SECONDS });
  return text;
}
