import { api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { focusAgain, rememberPlace } from "../lib/focus-return.js";
import { t } from "../lib/i18n.js";
import { formatFarMoment } from "../lib/time.js";
import { detailList, namesOf } from "./approval-parts.js";
import { titleOf } from "./approval-words.js";
import { keepBusiness } from "./kept-business.js";
import { field, sentence } from "./panel-parts.js";
import { writeRoute } from "./routes.js";

/**
 * Says that a request waits for another owner, and asks why it is made. Events up, at `place`: `go`.
 * @param {import("./approval-words.js").Approval} approval @param {HTMLElement} place @param {any} session
 */
export async function showApprovalNeeded(approval, place, session) {
  if (document.getElementById("approval-needed")) return;
  const opener = /** @type {HTMLElement|null} */ (document.activeElement);
  if (opener) rememberPlace(opener);
  const names = await namesOf(approval.business, [approval], session);
  const reason = h("textarea", { class: "fd-input", rows: 2, maxlength: 300 });
  reason.value = approval.reason ?? "";
  const alert = h("p", { class: "fd-error", role: "alert" });
  const close = () => dialog.close();
  const send = h("button", { class: "fd-button is-primary", type: "submit" }, t("approvals.send"));
  const form = h("form", {
    class: "stack",
    onSubmit: (event) => {
      event.preventDefault();
      whileBusy(send, async () => {
        alert.textContent = "";
        try {
          if (reason.value !== (approval.reason ?? "")) {
            await api.patch(`/api/businesses/${approval.business}/approvals/${approval.id}`, { reason: reason.value });
          }
          close();
        } catch (problem) {
          alert.textContent = sentence(problem);
        }
      });
    },
  }, field("approval-reason", t("approvals.why"), reason), alert, h("div", { class: "form-actions" },
    h("button", {
      class: "fd-button is-plain", type: "button",
      onClick: () => {
        close();
        keepBusiness({ id: approval.business });
        place.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: writeRoute({ name: "settings", section: "approvals" }) }));
      },
    }, t("approvals.see")),
    h("button", { class: "fd-button", type: "button", onClick: close }, t("approvals.close")), send));
  const dialog = h("dialog", { class: "dialog", id: "approval-needed", style: { "overflow-wrap": "anywhere" }, "aria-labelledby": "approval-needed-title" },
    h("h2", { id: "approval-needed-title" }, t("approvals.needed")),
    h("p", null, h("strong", null, titleOf(approval, names))),
    detailList(approval, names),
    h("p", null, t("approvals.neededLead", { time: formatFarMoment(new Date(approval.expiresAt)) })), form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener && !opener.isConnected) focusAgain(opener);
  });
  if (document.getElementById("approval-needed")) return;
  document.body.append(dialog);
  dialog.showModal();
  reason.focus();
}
