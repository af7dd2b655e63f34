import { h, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

let count = 0;

/**
 * Opens a sheet over the page. The browser's own dialog keeps the focus inside, closes on Escape
 * and gives the focus back.
 * @param {{title: string, content: any, footer?: any, kind?: string, onClose?: () => void}} parts
 * @returns {{close: () => void, dialog: HTMLDialogElement,
 *   fill: (parts: {title?: string, content?: any, footer?: any}) => void}}
 */
export function openSheet({ title, content, footer = null, kind = "", onClose = () => {} }) {
  count += 1;
  const id = `sheet-title-${count}`;
  const heading = h("h2", { id }, title);
  const body = h("div", { class: "sheet-body" }, content);
  const foot = h("footer", { class: "sheet-foot", hidden: footer === null }, footer);
  const closing = h("button", {
    class: "round is-close", type: "button", "aria-label": t("shared.close"),
    onClick: () => close(),
  }, icon("close", 18));
  const panel = h("div", { class: "sheet-panel" },
    h("header", { class: "sheet-head" }, heading, closing), body, foot);
  const dialog = /** @type {any} */ (h("dialog", {
    class: `sheet ${kind}`, "aria-labelledby": id,
    onClick: (event) => event.target === dialog && close(),
    onClose: () => {
      dialog.remove();
      onClose();
      requestAnimationFrame(keepFocus);
    },
  }, panel));
  const close = () => dialog.open && dialog.close();
  document.body.append(dialog);
  dialog.showModal();
  body.scrollTop = 0;
  return {
    close, dialog,
    fill: (parts) => {
      if (parts.title !== undefined) replace(heading, parts.title);
      if (parts.content !== undefined) replace(body, parts.content);
      if (parts.footer !== undefined) {
        foot.hidden = parts.footer === null;
        replace(foot, parts.footer);
      }
      closing.setAttribute("aria-label", t("shared.close"));
    },
  };
}

/** What had the focus before the sheet may have been drawn anew: then the thread gets it. */
function keepFocus() {
  if (document.activeElement !== document.body) return;
  /** @type {HTMLElement|null} */ (document.querySelector("phone-thread .scroller"))?.focus({ preventScroll: true });
}

/**
 * Asks for confirmation of an action that cannot be undone.
 * @param {{title: string, hint: string, confirm: string}} words
 * @returns {Promise<boolean>}
 */
export function askFirst({ title, hint, confirm }) {
  return new Promise((resolve) => {
    let answer = false;
    const end = (value) => () => {
      answer = value;
      dialog.close();
    };
    count += 1;
    const dialog = /** @type {any} */ (h("dialog", {
      class: "question", role: "alertdialog", "aria-labelledby": `question-${count}`,
      "aria-describedby": `question-hint-${count}`,
      onClose: () => {
        dialog.remove();
        resolve(answer);
      },
    },
    h("h2", { id: `question-${count}` }, title),
    h("p", { id: `question-hint-${count}` }, hint),
    h("div", { class: "question-answers" },
      h("button", {
        class: "fd-button is-wide", type: "button", autofocus: true, onClick: end(false),
      }, t("shared.cancel")),
      h("button", { class: "fd-button is-wide is-destructive", type: "button", onClick: end(true) },
        confirm))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
