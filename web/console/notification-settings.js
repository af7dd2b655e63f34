import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { timeInput } from "../lib/pick-input.js";
import { hindranceIn } from "../lib/push-notices.js";
import { SteadyList } from "../lib/steady-list.js";
import { playNotice } from "./notice-sound.js";
import { mayAnywhere } from "./permissions.js";
import { noticeReasons, onOtherPreferences, preferences, setPreferences } from "./preferences.js";
import "./push-setting.js";

await registerStrings({ en: () => import("../i18n/en/notices.js"), ja: () => import("../i18n/ja/notices.js") });

/** What comes only to who handles conversations. */
const HANDLING = Object.freeze(["assigned", "mine", "unassigned"]);

/**
 * What an agent is notified of, how, and when not. Everything is stored at once, for every device, but whether the one at hand
 * is notified while no console is in use. Values down: `session`.
 */
class NotificationSettings extends HTMLElement {
  session = null;
  #end = new AbortController();
  #steady = new SteadyList(this);

  connectedCallback() {
    const draw = () => this.#steady.draw(() => this.#parts());
    this.push = h("push-setting", { ".agent": this.session.agent.id, ".hindranceID": "notice-hindrance" });
    this.push.addEventListener("permission-changed", draw);
    onOtherPreferences(draw, this.#end.signal);
    draw();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  #parts() {
    const { notices, sound, browser, badge, title, quiet } = preferences();
    this.problem = h("p", { class: "fd-help", id: "notice-hindrance", role: "status" }, browserWords());
    const isHandling = mayAnywhere(this.session, "conversations.handle");
    const reasons = noticeReasons.filter((reason) => isHandling || !HANDLING.includes(reason));
    const times = h("div", { class: "quiet-times", hidden: !quiet.isOn }, this.#time("from", quiet), this.#time("until", quiet));
    return [
      h("h2", null, t("console.notices")),
      h("p", { class: "fd-help" }, t("console.notices.lead")),
      group(t("console.notices.reasons"), reasons.map((reason) => mark(`notice-${reason}`, t(`console.notices.${reason}`), notices[reason],
        (isOn) => setPreferences({ notices: { ...preferences().notices, [reason]: isOn } })))),
      group(t("console.notices.how"),
        h("div", { class: "mark-line" }, mark("notice-sound", t("console.notices.sound"), sound, (isOn) => setPreferences({ sound: isOn })),
          h("button", { type: "button", class: "fd-button", onClick: () => this.#play() }, t("console.notices.play"))),
        mark("notice-browser", t("console.notices.browser"), browser && permission() === "granted", (isOn, input) => this.#turnBrowser(isOn, input),
          permission() === "denied" || permission() === "none"),
        this.problem, this.push,
        mark("notice-badge", t("console.notices.badge"), badge, (isOn) => setPreferences({ badge: isOn })),
        mark("notice-title", t("console.notices.title"), title, (isOn) => setPreferences({ title: isOn }))),
      group(t("console.notices.quiet"),
        mark("notice-quiet", t("console.notices.quietOn"), quiet.isOn, (isOn) => {
          setPreferences({ quiet: { ...preferences().quiet, isOn } });
          times.hidden = !isOn;
        }), times)];
  }

  #time(name, quiet) {
    const pick = timeInput({
      value: quiet[name], changed: (clock) => { if (clock) setPreferences({ quiet: { ...preferences().quiet, [name]: clock } }); },
    });
    pick.input.id = `quiet-${name}`;
    return h("div", { class: "fd-field" }, h("label", { for: pick.input.id }, t(`console.notices.quiet.${name}`)), pick.element);
  }

  async #play() {
    const isPlayed = await playNotice();
    this.problem.textContent = isPlayed ? browserWords() : t("console.notices.noSound");
  }

  /** The browser asks for its permission only here, at a press. */
  async #turnBrowser(isOn, input) {
    if (isOn && permission() === "default") await Notification.requestPermission();
    const isGranted = permission() === "granted";
    setPreferences({ browser: isOn && isGranted });
    input.checked = isOn && isGranted;
    input.disabled = permission() === "denied";
    this.problem.textContent = browserWords();
    this.push.read();
  }
}

/** What the browser allows: "none" where it has no notifications, as without https. */
function permission() {
  return globalThis.isSecureContext && globalThis.Notification ? Notification.permission : "none";
}

/** Why the browser shows no notification at all. */
function browserWords() {
  if (permission() === "none") return t(`console.notices.${hindranceIn(globalThis) === "home" ? "home" : "insecure"}`);
  return permission() === "denied" ? t("console.notices.denied") : "";
}

function group(name, ...children) {
  return h("fieldset", { class: "marks" }, h("legend", null, name), children);
}

function mark(id, words, isOn, change, isDisabled = false) {
  const input = h("input", { type: "checkbox", id, checked: isOn, disabled: isDisabled, onChange: () => change(input.checked, input) });
  return h("div", { class: "mark" }, input, h("label", { for: id }, words));
}

customElements.define("notification-settings", NotificationSettings);
