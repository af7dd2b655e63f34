/** The composer's fixed parts: sheet of a card's form, box with text and tools; and why nothing can be sent. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { redraw } from "../lib/reconcile.js";
import { blockedParts } from "./blocked-parts.js";
import { freshElementID, iconButton, wordButton } from "./fields.js";
import "./finding-list.js";
import { icon } from "./icons.js";
import { makeKindStrip, toolButton } from "./kind-strip.js";
import { canShow } from "./kinds.js";

/**
 * Creates the parts; `children` is their order on screen.
 * @param {{select: (kind: string) => void, reveal: () => void, useExample: () => void,
 *   close: () => void, clear: () => void, saveTemplate: (button: HTMLElement) => void, send: () => void, sendAgain: () => void, addFiles: (files: FileList) => void,
 *   addFromLibrary: (button: HTMLElement, browse: () => void) => void,
 *   sendLater: ((button: HTMLElement) => void)|null, openTemplates: () => void, openEmoji: (button: HTMLElement) => void, companion: Element|null,
 *   replaced: import("./replaced-notice.js").ReplacedNotice}} actions
 */
export function makeFrame(actions) {
  const stem = freshElementID("composer");
  const strip = makeKindStrip(actions.select);
  const title = h("h3", { id: `${stem}-title` });
  const example = wordButton(t("composer.example"), actions.useExample, { iconName: "spark", className: "cp-quiet" });
  const clear = wordButton(t("composer.clear"), actions.clear, { className: "cp-quiet" });
  const save = wordButton(t("composer.template.saveAs"), () => actions.saveTemplate(save), { iconName: "template", className: "cp-quiet cp-shrinking" });
  save.title = t("composer.template.saveAs");
  save.setAttribute("aria-haspopup", "dialog");
  save.setAttribute("aria-expanded", "false");
  const panel = h("div", { class: "cp-panel" });
  const form = h("section", { class: "cp-sheet", "aria-labelledby": title.id },
    h("header", { class: "cp-sheet-head" }, title, h("span", { class: "cp-grow" }), example, save, clear,
      iconButton("close", t("composer.sheet.close"), actions.close, "cp-sheet-close")),
    panel);
  const reason = h("div", { class: "cp-reason", hidden: true });
  const findings = document.createElement("finding-list");
  findings.hidden = true;
  findings.id = `${stem}-findings`;
  const alert = h("div", { class: "cp-alert", role: "alert", hidden: true });
  const status = h("button", { type: "button", class: "cp-status", onclick: actions.reveal });
  const said = h("span", { class: "fd-hidden-text", role: "status" });
  const again = wordButton(t("composer.sendAgain"), actions.sendAgain, { className: "cp-quiet" });
  const blank = h("span", { class: "cp-hint" }, t("composer.sheet.blank"));
  const line = h("div", { class: "cp-line" }, said, status, again, blank);
  const send = iconButton("send", t("composer.send"), actions.send, "cp-send");
  const later = actions.sendLater ? iconButton("down", t("composer.later"), () => actions.sendLater(later), "cp-later") : null;
  later?.setAttribute("aria-haspopup", "menu");
  later?.setAttribute("aria-expanded", "false");
  // Loaded with the first composer: a page that shows none needs no templates.
  const picker = document.createElement("template-picker");
  picker.hidden = true;
  import("./template-picker.js").catch(() => {});  // Safe: asked for again when it is opened.
  const area = h("div", { class: "cp-area" });
  const notice = h("p", { class: "cp-notice", role: "status" });
  const box = h("div", { class: "cp-box" }, area, line,
    h("footer", { class: "cp-foot" }, actions.companion, makeTools(actions, strip), h("span", { class: "cp-grow" }), later, send));
  takeFiles(box, actions.addFiles);
  return {
    strip, title, form, panel, area, reason, findings, alert, status, said, again, blank, line, example, save, clear, send, later, picker,
    notice, children: [reason, actions.replaced.element, form, picker, findings, alert, box, notice],
  };
}

/** Files, template, emoji, then the kinds: one stop of the Tab key, arrow keys within. */
function makeTools({ addFiles, addFromLibrary, openTemplates, openEmoji }, strip) {
  const files = h("input", { type: "file", multiple: true, class: "fd-hidden-text", tabindex: "-1", "aria-hidden": "true" });
  files.addEventListener("change", () => {
    addFiles(files.files);
    files.value = "";
  });
  const emoji = toolButton(icon("smile"), t("composer.emoji"), () => openEmoji(emoji));
  emoji.setAttribute("aria-haspopup", "dialog");
  emoji.setAttribute("aria-expanded", "false");
  const attach = toolButton(icon("attach"), t("composer.text.attach"), () => addFromLibrary(attach, () => files.click()));
  const tools = [
    attach,
    toolButton(icon("template"), t("composer.text.template"), openTemplates), emoji, ...strip.buttons, strip.more,
  ];
  const bar = h("div", { class: "cp-tools", role: "toolbar", "aria-label": t("composer.kinds") }, ...tools, files);
  const aim = (button) => tools.forEach((tool) => (tool.tabIndex = tool === button ? 0 : -1));
  aim(tools[0]);
  bar.addEventListener("focusin", (event) => aim(event.target.closest("button") ?? tools[0]));
  bar.addEventListener("keydown", (event) => {
    const seen = tools.filter((tool) => tool.checkVisibility());
    const at = seen.indexOf(event.target.closest("button"));
    const next = {
      ArrowRight: (at + 1) % seen.length, ArrowLeft: (at - 1 + seen.length) % seen.length, Home: 0, End: seen.length - 1,
    }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    seen[next].focus();
  });
  return bar;
}

/** Files that are dropped anywhere on the box. */
function takeFiles(box, addFiles) {
  box.addEventListener("dragover", (event) => {
    event.preventDefault();
    box.classList.add("cp-dropping");
  });
  box.addEventListener("dragleave", (event) => {
    if (!box.contains(event.relatedTarget)) box.classList.remove("cp-dropping");
  });
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    box.classList.remove("cp-dropping");
    if (event.dataTransfer.files.length) addFiles(event.dataTransfer.files);
  });
}

/**
 * Why nothing at all can be sent: "left" where the customer has, "over" where the channel's time for answers is, else "".
 * @param {any} conversation
 */
export function shutBy(conversation) {
  if (conversation?.left) return "left";
  return Date.parse(conversation?.freeFormUntil ?? "") <= Date.now() ? "over" : "";
}

/**
 * Leads to what can be sent once the channel's time for answers has ended: its own templates. False where that is not so.
 * @param {Element} composer @param {any} conversation @param {"focus"|"click"} way
 */
export function goToWindow(composer, conversation, way) {
  const button = shutBy(conversation) === "over" ? /** @type {HTMLElement|null} */ (composer.querySelector("reply-window button")) : null;
  button?.[way]();
  return Boolean(button);
}

/** Shows what can reach the customer: which kinds their device shows, and nothing at all once they have left. */
export function drawReach(parts, { kind, entry, conversation, capabilities, writeAsText, redraw, composer }) {
  const { strip, reason, panel, area, alert } = parts;
  const shut = shutBy(conversation);
  strip.mark(kind, capabilities);
  composer.dataset.shut = shut;
  const field = area.querySelector(".cp-text");
  if (field) field.placeholder = t(shut ? "composer.text.shut" : "composer.text.placeholder");
  drawReason(reason, { hasLeft: shut === "left", entry, capabilities, writeAsText });
  for (const part of [panel, area]) {
    part.classList.toggle("cp-panel-off", Boolean(shut));
  }
  const forms = [...panel.children, ...area.children];
  import("./held-fields.js").then(({ hold }) => forms.forEach((form) => hold(form, Boolean(shut) || form.ariaBusy === "true")), () => {});  // Safe: nothing is sent.
  // By the time that it is loaded, another conversation may be on screen.
  parts.until = conversation?.freeFormUntil;
  // The channel's own templates are sent after that time, too.
  const { business, apiBase, guard, sendQuery } = composer;
  parts.templates = conversation && business ? { business, conversation, apiBase, guard, sendQuery } : null;
  if (parts.until || alert.nextElementSibling?.localName === "reply-window") {
    import("./reply-window.js").then(({ showReplyWindow }) => showReplyWindow(alert, parts.until, { redraw, templates: parts.templates }), () => {});  // Safe: the server says it too.
  }
}

/** Why nothing can be sent: the customer has left, or the device cannot show this kind. */
function drawReason(reason, { hasLeft, entry, capabilities, writeAsText }) {
  const isBlocked = !canShow(entry, capabilities);
  const mark = JSON.stringify([hasLeft, isBlocked && entry.kind, capabilities, document.documentElement.lang]);
  if (reason.dataset.mark === mark) return;
  reason.dataset.mark = mark;
  reason.hidden = !hasLeft && !isBlocked;
  if (hasLeft) {
    reason.replaceChildren(icon("lock"), h("div", null,
      h("strong", null, t("composer.left.title")), h("p", null, t("composer.left.text"))));
  } else if (isBlocked) {
    reason.replaceChildren(...blockedParts(entry, capabilities, writeAsText));
  }
}

/** Shows what can be done with a draft: whether it is ready, in words, a sign and a colour, and which buttons there are. */
export function drawDraft(parts, draft) {
  const { send, again, example, save, clear, blank, line, status } = parts;
  const { kind, isBlank, isRepeat, mayWrite, count, hasOwnList } = draft;
  // JSON with errors may not even be a message.
  save.hidden = !draft.maySave || kind === "text" || isBlank || (hasOwnList && (draft.errors > 0 || !draft.isSettled));
  // Disabled it would lose the focus.
  send.classList.toggle("cp-sending", draft.isSending);
  send.ariaBusy = send.ariaDisabled = String(draft.isSending);
  send.disabled = isBlank || isRepeat || !draft.maySend || !mayWrite;
  if (parts.later) parts.later.hidden = send.disabled;
  again.hidden = !isRepeat || !mayWrite;
  example.hidden = hasOwnList || kind === "text" || !mayWrite;
  clear.hidden = kind === "text" || !draft.isWritten;
  blank.hidden = !isBlank;
  drawStatus(parts, { ...draft, isShown: !isBlank && draft.isSettled && (count > 0 || kind !== "text") });
  line.hidden = kind === "text" && status.hidden;
}

function drawStatus({ status, said }, { isShown, count, errors, isRepeat, isUnreachable }) {
  status.hidden = !isShown;
  status.className = `cp-status cp-status-${errors ? "error" : count ? "warning" : "ok"}`;
  const words = errors ? t("composer.status.errors", { count: errors })
    : count ? t("composer.status.warnings", { count })
      : t(isUnreachable ? "composer.status.unchecked" : isRepeat ? "composer.status.sent" : "composer.status.ready");
  status.disabled = count === 0;
  // A verdict may come while it is pressed.
  redraw(status, icon(errors ? "error" : count ? "warning" : "check"), h("span", null, words));
  if (isShown && said.textContent !== words) said.replaceChildren(words);
}

/** Shows why a message was not sent, and offers another attempt where one may help. */
export function drawAlert(alert, problem, retry) {
  alert.hidden = false;
  alert.replaceChildren(icon("error"), h("span", { class: "cp-grow" }, refusalWords(problem)),
    problem.mayRetry ? wordButton(t("composer.send.again"), retry, { iconName: "refresh" }) : "");
}

/** Shows that a kind's form did not arrive, and offers another attempt. */
export function drawNotLoaded(alert, retry) {
  alert.hidden = false;
  alert.replaceChildren(icon("error"), h("span", { class: "cp-grow" }, t("composer.notLoaded")),
    wordButton(t("composer.send.again"), retry, { iconName: "refresh" }));
}

/** Says what to read before the message is sent, and offers to send it all the same. */
export function drawGuard(alert, words, send) {
  alert.hidden = false;
  alert.replaceChildren(icon("warning"), h("span", { class: "cp-grow" }, words),
    wordButton(t("composer.send.anyway"), send, { iconName: "send" }));
}

/** A line below the box, such as who else is writing. */
export function drawNotice({ notice }, words) {
  if (notice && notice.textContent !== words) notice.textContent = words;
}

/** A refusal in the reader's language. */
export function refusalWords(problem) {
  if (problem.code === "customer_left") return t("composer.left.text");
  // The customer's channel has such a time, and the words for it came with that.
  if (problem.code === "reply_window_over") return t("window.over.text");
  if (problem.isOffline) return t("composer.send.offline");
  if (problem.status === 429) return t("composer.send.slow", { count: problem.retryAfterSeconds ?? 1 });
  return problem.detail || problem.title || problem.message;
}
