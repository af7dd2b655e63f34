/** A link with its title and picture. */
import { pictureOf, wordsOf } from "../payload-reading.js";
import { envelope } from "../payloads.js";

export default {
  kind: "richLink", tag: "link-form", isRare: true,
  drawing: "M8.5 11.5l3-3M9 6.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L13.5 11M11 13.5L9.5 15a3.2 3.2 0 0 1-4.5-4.5L6.5 9",
  speaksOf: ({ type, richLinkData }) => type === "richLink" && Boolean(richLinkData),
  make: richLinkPayload, read,
};

/** The most bytes the picture of a rich link may have. */
export const linkPictureByteLimit = 200_000;

/** A link with its title and picture. */
export function richLinkPayload(draft, context) {
  const image = draft.picture
    ? { image: { data: draft.picture.data, mimeType: draft.picture.mimeType } } : {};
  const video = draft.videoURL.trim()
    ? { video: { url: draft.videoURL, mimeType: draft.videoType } } : {};
  return {
    ...envelope("richLink", context),
    richLinkData: { url: draft.url, title: draft.title, assets: { ...image, ...video } },
  };
}

function read({ richLinkData: { url, title, assets = {} } }) {
  return {
    url, title: wordsOf(title), picture: assets.image ? pictureOf(assets.image.data, assets.image.mimeType) : null,
    videoURL: wordsOf(assets.video?.url), videoType: assets.video?.mimeType ?? "video/mp4",
  };
}
