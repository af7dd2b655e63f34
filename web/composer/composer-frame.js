/** The composer's fixed parts: kinds, panel, foot; and the reasons why nothing can be sent. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { freshElementID, wordButton } from "./fields.js";
import "./finding-list.js";
import { icon } from "./icons.js";
import { canShow, kinds } from "./kinds.js";
import "./template-picker.js";

/** So much of the kind beside the open one stays in view, in pixels. */
const tabMargin = 16;

/**
 * Creates the parts; `children` is their order on screen.
 * @param {{select: (kind: string) => void, reveal: () => void, useExample: () => void,
 *   clear: () => void, send: () => void, companion: Element|null,
 *   replaced: import("./replaced-notice.js").ReplacedNotice}} actions
 */
export function makeFrame(actions) {
  const stem = freshElementID("composer");
  const tabs = kinds.map((entry) => h("button", {
    type: "button", role: "tab", class: "cp-tab", id: `${stem}-${entry.kind}`, "aria-controls": `${stem}-panel`,
    dataset: { kind: entry.kind }, onclick: () => actions.select(entry.kind),
  }));
  const tablist = h("div", {
    class: "cp-tabs", role: "tablist", "aria-label": t("composer.kinds"), onkeydown: (event) => moveBetween(tabs, event, actions.select),
  }, ...tabs);
  const showMore = () => {
    const { scrollLeft, scrollWidth, clientWidth } = tablist;
    tablist.classList.toggle("cp-more-before", scrollLeft > 4);
    tablist.classList.toggle("cp-more-after", scrollLeft + clientWidth < scrollWidth - 4);
  };
  tablist.addEventListener("scroll", showMore, { passive: true });
  new ResizeObserver(() => {
    bringIntoView(tablist);
    showMore();
  }).observe(tablist);
  const panel = h("div", { class: "cp-panel", role: "tabpanel", id: `${stem}-panel`, tabindex: "-1" });
  const reason = h("div", { class: "cp-reason", hidden: true });
  const findings = document.createElement("finding-list");
  findings.hidden = true;
  findings.id = `${stem}-findings`;
  const alert = h("div", { class: "cp-alert", role: "alert", hidden: true });
  const status = h("button", { type: "button", class: "cp-status", onclick: actions.reveal });
  const said = h("span", { class: "fd-hidden-text", role: "status" });
  const example = wordButton(t("composer.example"), actions.useExample, { iconName: "spark", className: "cp-quiet" });
  const clear = wordButton(t("composer.clear"), actions.clear, { className: "cp-quiet" });
  const send = wordButton(t("composer.send"), actions.send, { iconName: "send", className: "cp-primary cp-send" });
  const picker = document.createElement("template-picker");
  picker.hidden = true;
  const foot = h("footer", { class: "cp-foot" }, actions.companion, example, clear, h("span", { class: "cp-grow" }), said, status, send);
  return {
    stem, tabs, panel, reason, findings, alert, status, said, example, clear, send, picker,
    children: [tablist, reason, actions.replaced.element, panel, picker, findings, alert, foot],
  };
}

/** Arrow keys, Home and End choose the next kind and move the focus to it. */
function moveBetween(tabs, event, select) {
  const at = tabs.indexOf(event.target.closest("[role=tab]"));
  const next = {
    ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at - 1 + tabs.length) % tabs.length, Home: 0, End: tabs.length - 1,
  }[event.key];
  if (next === undefined || at < 0) return;
  event.preventDefault();
  select(tabs[next].dataset.kind);
  tabs[next].focus();
}

/** Marks the open kind. */
export function markTabs(tabs, kind) {
  for (const tab of tabs) {
    const isOpen = tab.dataset.kind === kind;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
  }
  bringIntoView(tabs[0]?.parentElement);
}

/** Scrolls the row of kinds to the open one; only the row, scrollIntoView would move the page too. */
function bringIntoView(row) {
  const tab = row?.querySelector('[aria-selected="true"]');
  if (!tab) return;
  const { left, right } = tab.getBoundingClientRect();
  const view = row.getBoundingClientRect();
  if (left < view.left + tabMargin) row.scrollLeft -= view.left + tabMargin - left;
  else if (right > view.right - tabMargin) row.scrollLeft += right - view.right + tabMargin;
}

/** Greys the kinds that the customer's device cannot show, and says so. */
export function blockTabs(tabs, capabilities) {
  for (const tab of tabs) {
    const entry = kinds.find((it) => it.kind === tab.dataset.kind);
    const name = t(`composer.kind.${entry.kind}`);
    const isShown = canShow(entry, capabilities);
    tab.classList.toggle("cp-tab-blocked", !isShown);
    tab.title = isShown ? "" : t("composer.blocked.short", { kind: name });
    tab.replaceChildren(isShown ? icon(entry.kind, entry.drawing) : icon("blocked"), h("span", { class: "cp-tab-name" }, name),
      isShown ? "" : h("span", { class: "fd-hidden-text" }, `. ${t("composer.blocked.mark")}`));
  }
}

/** Why nothing can be sent: the customer has left, or the device cannot show this kind. */
export function drawReason(reason, { hasLeft, entry, capabilities, writeAsText }) {
  const isBlocked = !canShow(entry, capabilities);
  const mark = JSON.stringify([hasLeft, isBlocked && entry.kind, capabilities, document.documentElement.lang]);
  if (reason.dataset.mark === mark) return;
  reason.dataset.mark = mark;
  reason.hidden = !hasLeft && !isBlocked;
  if (hasLeft) {
    reason.replaceChildren(icon("lock"), h("div", null,
      h("strong", null, t("composer.left.title")), h("p", null, t("composer.left.text"))));
  } else if (isBlocked) {
    reason.replaceChildren(icon("blocked"), h("div", { class: "cp-grow" },
      h("strong", null, t("composer.blocked.title", { kind: t(`composer.kind.${entry.kind}`) })),
      h("p", null, t("composer.blocked.text", { needs: entry.needs, has: (capabilities ?? []).join(", ") }))),
    wordButton(t("composer.blocked.asText"), writeAsText));
  }
}

/** Says whether the message is ready, in words, a sign and a colour. */
export function drawStatus({ status, said }, { isShown, count, errors, isRepeat, isUnreachable }) {
  status.hidden = !isShown;
  status.className = `cp-status cp-status-${errors ? "error" : count ? "warning" : "ok"}`;
  const words = errors ? t("composer.status.errors", { count: errors })
    : count ? t("composer.status.warnings", { count })
      : t(isUnreachable ? "composer.status.unchecked" : isRepeat ? "composer.status.sent" : "composer.status.ready");
  status.disabled = count === 0;
  status.replaceChildren(icon(errors ? "error" : count ? "warning" : "check"), h("span", null, words));
  if (isShown && said.textContent !== words) said.replaceChildren(words);
}

/** Shows that a message is being sent. Text typed meanwhile would be removed with it. */
export function drawSending({ send }, form, isSending) {
  send.classList.toggle("cp-sending", isSending);
  send.setAttribute("aria-busy", String(isSending));
  for (const area of form.querySelectorAll("textarea")) area.readOnly = isSending;
}

/** Shows why a message was not sent, and offers another attempt where one may help. */
export function drawAlert(alert, problem, retry) {
  alert.hidden = false;
  alert.replaceChildren(icon("error"), h("span", { class: "cp-grow" }, refusalWords(problem)),
    problem.mayRetry ? wordButton(t("composer.send.again"), retry, { iconName: "refresh" }) : "");
}

/** Closes the template picker; false when it was not open. */
export function closePicker({ panel, picker }) {
  if (!panel.hidden) return false;
  panel.hidden = false;
  picker.hidden = true;
  picker.replaceChildren();
  return true;
}

// A refusal in the reader's language.
function refusalWords(problem) {
  if (problem.code === "customer_left") return t("composer.left.text");
  if (problem.isOffline) return t("composer.send.offline");
  if (problem.status === 429) return t("composer.send.slow", { count: problem.retryAfterSeconds ?? 1 });
  return problem.detail || problem.title || problem.message;
}
