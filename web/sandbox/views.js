/** The sandbox's quiet states: waiting, locked, not reachable. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { icon } from "../composer/icons.js";

/** Waiting for the first message: the code, what to do, and the customers that are there already, and scripts of more. */
export function waitingView({ join, list, business, scripts }) {
  const step = (number) => h("li", null, h("span", { class: "sb-step", "aria-hidden": "true" }, String(number)), h("div", null,
    h("strong", null, t(`sandbox.step.${number}.title`)), h("p", null, t(`sandbox.step.${number}.text`, { name: business.name }))));
  return [
    h("section", { class: "sb-card sb-join", "aria-label": t("sandbox.codeSection") }, join),
    h("section", { class: "sb-intro" },
      h("h1", null, t("sandbox.title")),
      h("p", { class: "sb-lead" }, t("sandbox.lead")),
      h("ol", { class: "sb-steps" }, step(1), step(2), step(3)),
      h("p", { class: "sb-waiting-line", role: "status" },
        h("span", { class: "sb-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), t("sandbox.waiting")),
      list, scripts),
  ];
}

/**
 * The sandbox requires its link: the form for the printed link or its key.
 * @param {boolean} wasRefused whether a key has just been tried
 * @param {(text: string) => void} use
 */
export function lockedView(wasRefused, use) {
  const input = h("input", { class: "fd-input", id: "sandbox-key", autocomplete: "off", spellcheck: "false", required: true, placeholder: "https://…/sandbox#key=…" });
  return h("section", { class: "sb-card sb-locked" },
    icon("lock"), h("h1", null, t("sandbox.locked.title")), h("p", null, t("sandbox.locked.text")),
    wasRefused ? h("p", { class: "sb-refused", role: "alert" }, t("sandbox.locked.refused")) : null,
    h("form", { onsubmit: (event) => {
      event.preventDefault();
      if (input.value.trim()) use(input.value);
    } },
    h("label", { class: "fd-label", for: "sandbox-key" }, t("sandbox.locked.label")), input,
    h("button", { type: "submit", class: "fd-button is-primary" }, t("sandbox.locked.open"))),
    h("p", { class: "sb-small" }, t("sandbox.locked.owner"), " ", h("a", { href: "/console" }, t("sandbox.locked.signIn"))));
}

/** This desk runs without a sandbox. */
export function offView() {
  return h("section", { class: "sb-card sb-locked" },
    icon("blocked"), h("h1", null, t("sandbox.off.title")), h("p", null, t("sandbox.off.text")),
    h("a", { class: "fd-button is-primary", href: "/console" }, t("sandbox.off.console")));
}

/** No answer, or one that says to come back later. */
export function unreachableView(problem, retry) {
  return h("section", { class: "sb-card sb-locked", role: "alert" },
    icon("error"), h("h1", null, t("sandbox.unreachable.title")),
    h("p", null, problem.isOffline ? t("sandbox.unreachable.text") : problem.message),
    h("button", { type: "button", class: "fd-button is-primary", onclick: retry }, t("shared.retry")));
}
