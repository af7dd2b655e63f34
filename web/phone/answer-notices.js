import { h, replace, sheet } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { PushNotices } from "../lib/push-notices.js";
import { workerOf } from "./kept-page.js";
import { recall, remember } from "./memory.js";

await registerStrings({ en: () => import("../i18n/en/answer-notices.js"), ja: () => import("../i18n/ja/answer-notices.js") });
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(`
.bell-line { display: flex; align-items: center; justify-content: center; gap: 4px; padding: 0 8px; border-top: 1px solid var(--fd-line);
  background: var(--fd-bg-sunken); }
.bell-line button { display: flex; align-items: center; gap: 8px; min-width: 44px; min-height: 44px; padding: 0 8px; border: 0; background: none;
  color: var(--fd-accent-text); font-size: var(--fd-text-sm); font-weight: 500; text-align: start; cursor: pointer; }
.bell-line button.is-later { color: var(--fd-ink-2); font-weight: 400; }
@media print { .bell-line { display: none; } }
`)];

/** Whether this browser is notified of answers in a conversation. @param {import("./conversation.js").Conversation} conversation */
function bellOf(conversation) {
  const name = encodeURIComponent(conversation.business.id);
  const key = `fd.phone.${conversation.business.id}.bell`;
  return new PushNotices({
    base: `/api/phone/${name}/push`, worker: workerOf(conversation.business.id), subscriber: () => conversation.id,
    choice: { read: () => recall(key), write: (value) => remember(key, value) },
  });
}

/** The bell of the page. @type {PushNotices|null} */
let bell = null;

/**
 * Follows a conversation that has its first message: reads how the bell stands, and offers it once in a quiet line.
 * @param {any} chat the `phone-chat` of the page
 */
export async function followBell(chat) {
  const { conversation } = chat;
  bell = bellOf(conversation);
  const look = () => document.hidden || bell.closeNotices();
  document.addEventListener("visibilitychange", look);
  look();
  conversation.addEventListener("begun-anew", () => bell.read().catch(() => {}));  // Safe: read again when the menu is opened.
  conversation.addEventListener("deleted", () => bell.turnOff().catch(() => {}));  // Safe: the server has removed it already.
  await bell.read();
  if (bell.state !== "off" || bell.chosen !== null) return;
  const line = h("div", { class: "bell-line" });
  const draw = () => replace(line,
    h("button", { type: "button", onClick: () => ring(bell, (text) => chat.notice.say(text)) }, icon("bell", 20), t("bell.title")),
    h("button", { class: "is-later", type: "button", onClick: () => { bell.chosen = false; end(); } }, t("bell.later")));
  const endLanguage = onLanguageChange(draw);
  const end = () => {
    endLanguage();
    line.remove();
  };
  bell.addEventListener("change", end, { once: true });
  draw();
  chat.querySelector(".chat-foot").prepend(line);
}

/** Turns the bell on or off, and says what came of it. */
async function ring(one, say) {
  try {
    const state = await (one.state === "on" ? one.turnOff() : one.turnOn());
    if (state === "on") say(t("bell.isOn"));
    if (state === "blocked") say(t("bell.blocked"));
  } catch {
    say(t("bell.failed"));
  }
}

/**
 * Fills the bell's row of the menu, and keeps it as it stands.
 * @param {HTMLElement} row
 * @param {import("./conversation.js").Conversation} conversation
 * @param {(text: string) => void} say
 */
export async function fillBellRow(row, conversation, say) {
  const one = bell ??= bellOf(conversation);
  const draw = () => {
    const isPossible = one.state === "off" || one.state === "on";
    replace(row, icon(one.state === "on" ? "bell" : "bellOff", 22),
      h("label", { class: "fd-row-words", for: "bell-switch" }, h("strong", { id: "bell-label" }, t("bell.title")),
        h("small", { id: "bell-hint" }, t(`bell.${isPossible ? "hint" : one.state}`))),
      isPossible && h("button", {
        class: "switch", type: "button", role: "switch", "aria-checked": String(one.state === "on"), id: "bell-switch",
        "aria-labelledby": "bell-label", "aria-describedby": "bell-hint", onClick: () => ring(one, say),
      }, h("span")));
    row.hidden = false;
  };
  await one.read().catch(() => {});  // Safe: shown as it was known.
  const change = () => {
    if (!row.isConnected) return one.removeEventListener("change", change);
    const hadFocus = row.contains(document.activeElement);
    draw();
    if (hadFocus) /** @type {HTMLElement|null} */ (row.querySelector("#bell-switch"))?.focus();
  };
  one.addEventListener("change", change);
  draw();
}
