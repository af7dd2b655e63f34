/** A message for an app extension of another developer. */
import { pictureOf, wordsOf } from "../payload-reading.js";
import { cardText, envelope, stated } from "../payloads.js";

const bundlePattern = /^com\.apple\.messages\.MSMessageExtensionBalloonPlugin:([^:]*):([^:]*)$/;

export default {
  kind: "app", tag: "app-form", isRare: true,
  drawing: "M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM13.5 11v5M11 13.5h5",
  words: {
    en: { title: "Open in our app" },
    ja: { title: "アプリで開く" },
  },
  speaksOf: ({ interactiveData }) => interactiveData?.URL !== undefined, make: appPayload, read,
};

/** The most bytes the URL of an app message may have. */
export const appURLByteLimit = 65_536;

/** A message for an app extension of another developer; the URL is sent as typed. */
export function appPayload(draft, context) {
  const appId = /^[0-9]{1,15}$/.test(draft.appID.trim()) ? Number(draft.appID) : draft.appID;
  return {
    ...envelope("interactive", context),
    interactiveData: {
      bid: `com.apple.messages.MSMessageExtensionBalloonPlugin:${draft.team}:${draft.extension}`,
      appId,
      appName: draft.appName,
      ...stated({ appIcon: draft.icon?.data }),
      URL: draft.url,
      useLiveLayout: draft.useLiveLayout,
      receivedMessage: cardText(draft.received, null, true),
      ...(draft.reply.title ? { replyMessage: cardText(draft.reply, null, true) } : {}),
    },
  };
}

function read({ interactiveData: app }) {
  const [, team, extension] = bundlePattern.exec(app.bid);
  const card = (one = {}) => ({
    title: wordsOf(one.title), subtitle: wordsOf(one.subtitle), style: wordsOf(one.style), picture: null,
    alternateTitle: wordsOf(one.alternateTitle), imageTitle: wordsOf(one.imageTitle), imageSubtitle: wordsOf(one.imageSubtitle),
    secondarySubtitle: wordsOf(one.secondarySubtitle), tertiarySubtitle: wordsOf(one.tertiarySubtitle),
  });
  return {
    team, extension, appID: String(app.appId), appName: app.appName, url: app.URL, icon: pictureOf(app.appIcon),
    useLiveLayout: app.useLiveLayout ?? true, received: card(app.receivedMessage), reply: card(app.replyMessage),
  };
}
