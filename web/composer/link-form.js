import { t } from "../lib/i18n.js";
import { fold, groupProblem, row, selectField, textField } from "./fields.js";
import { KindForm } from "./kind-form.js";
import { linkPictureByteLimit, richLinkPayload } from "./kinds/rich-link.js";
import { pictureField } from "./picture-field.js";

/** A link that shows its title and picture. */
export class LinkForm extends KindForm {
  blankDraft() {
    return { url: "", title: "", picture: null, videoURL: "", videoType: "video/mp4" };
  }

  draw() {
    const { draft } = this;
    const changed = () => this.changed();
    const base = "/richLinkData";
    return [
      textField({
        label: t("composer.link.url"), draft, key: "url", changed, type: "url", inputMode: "url",
        placeholder: "https://", pointer: () => `${base}/url`,
      }),
      textField({
        label: t("composer.link.title"), draft, key: "title", changed, maxLength: 512, pointer: () => `${base}/title`,
      }),
      pictureField({
        place: this.context, label: t("composer.link.picture"), draft, key: "picture", changed, edge: 1200,
        byteLimit: linkPictureByteLimit, showLimit: true,
      }),
      groupProblem(`${base}/assets`, () => this.querySelector(".cp-picture input")),
      fold(t("composer.link.video"), row(
        textField({
          label: t("composer.link.videoURL"), draft, key: "videoURL", changed, type: "url", inputMode: "url",
          placeholder: "https://", pointer: () => `${base}/assets/video/url`,
        }),
        selectField({
          label: t("composer.link.videoType"), draft, key: "videoType", changed,
          choices: [["video/mp4", "MP4"], ["video/mpeg", "MPEG"]],
        }))),
    ];
  }

  payload() {
    return richLinkPayload(this.draft, this.context.envelope());
  }

  isBlank() {
    return !this.draft.url.trim() && !this.draft.title.trim() && !this.draft.picture;
  }

  example() {
    const canvas = document.createElement("canvas");
    canvas.width = 480;
    canvas.height = 270;
    const pen = canvas.getContext("2d");
    const sky = pen.createLinearGradient(0, 0, 480, 270);
    sky.addColorStop(0, "#3f7d58");
    sky.addColorStop(1, "#c5d86d");
    pen.fillStyle = sky;
    pen.fillRect(0, 0, 480, 270);
    pen.fillStyle = "rgb(255 255 255 / 0.85)";
    pen.beginPath();
    pen.arc(240, 135, 62, 0, Math.PI * 2);
    pen.fill();
    const data = canvas.toDataURL("image/jpeg", 0.8).split(",")[1];
    return {
      ...this.blankDraft(), url: "https://tea.example/spring", title: t("composer.example.link.title"),
      picture: { data, mimeType: "image/jpeg", bytes: Math.floor(data.length * 0.75), width: 480, height: 270 },
    };
  }
}
customElements.define("link-form", LinkForm);
