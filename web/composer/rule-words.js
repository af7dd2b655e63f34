/** The fix of a finding, in the reader's language. The server gives its fixes in English. */
import { language } from "../lib/i18n.js";

/** By rule; `$1` is the first quoted name in the server's own words. */
const japanese = {
  "app-url-too-long": "URL を 65,536 バイト以下にしてください。",
  "app-with-data": "data を取り除いてください。アプリには URL だけで伝えます。",
  "attachment-lost": "何もする必要はありません。文章はそのまま残り、ファイルは失われたものとして表示されます。",
  "attachment-too-large": "添付ファイルを 100 MB 以下にしてください。",
  "bid-form": "bid は com.apple.messages.MSMessageExtensionBalloonPlugin、英大文字と数字 10 桁のチーム ID、拡張機能 ID をコロンでつないで書いてください。",
  "business-form": "ビジネスの ID(UUID)を書いてください。",
  "business-prefix": "urn:biz: を付けずに、ビジネスの ID(UUID)だけを書いてください。",
  "capability-missing": "お客様の端末では表示できません。文章で送ってください。",
  "close-outbound": "close はお客様だけが送れます。",
  "control-character": "見えない制御文字(U+0000〜U+001F、U+007F)を取り除いてください。",
  "customer-form": "urn:mbid: で始まるお客様の ID を書いてください。",
  "customer_left": "お客様は退出しました。",
  "data-and-reference": "interactiveData と interactiveDataRef はどちらか一方にしてください。",
  "envelope-disagrees": "この会話の値に合わせるか、取り除いてください。",
  "envelope-incomplete": "v・id・sourceId・destinationId をすべて書いてください。",
  "feature-ambiguous": "data の機能は 1 つだけにしてください。",
  "feature-missing": "data に機能(listPicker、event など)を 1 つ書いてください。",
  "form-branch-ignored": "複数選べるページでは項目ごとの行き先は使えません。ページに 1 つの行き先を書いてください。",
  "form-date-form": "dateFormat のとおりに、実在する日付を書いてください。",
  "form-dates-crossed": "minimumDate、startDate、maximumDate をこの順に並ぶ日付にしてください。",
  "form-index-outside": "selectedItemIndex に、0 から数えてある項目の番号を書いてください。",
  "form-page-unknown": "存在するページの ID を書いてください。",
  "form-page-unreachable": "このページへ進む道を作るか、ページを取り除いてください。",
  "form-without-end": "フォームを終えるページを作ってください。",
  "hex-as-base64": "16 進ではなく、チェックサムのバイト列を base64 で書いてください。",
  "identifier-empty": "返信で区別できるように、空でない ID を付けてください。",
  "identifier-twice": "ID が重複しています。別の ID にしてください。",
  "invitation-logo": "テンプレートに合わせてロゴを加えるか取り除いてください。",
  "invitation-logo-missing": "画像付きのテンプレートです。brandLogo を加えてください。",
  "link-encoded-twice": "アドレスのパーセント符号化を 1 回だけにしてください。",
  "link-scheme": "http または https のアドレスを書いてください。",
  "locale-form": "en_US や ja_JP のように、言語と地域を書いてください。",
  "malformed_json": "ここで JSON として読めなくなっています。",
  "media-type": "image/jpeg のように、メディアタイプを書いてください。",
  "member-advised": "「$1」を加えることをお勧めします。",
  "missing-key": "「$1」を加えてください。",
  "network-unknown": "知られていないカードブランドです。綴りを確かめてください。",
  "not-unique": "同じ値は 1 回だけにしてください。",
  "number-as-text": "引用符を外して数値で書いてください。",
  "old-spelling": "現在の名前「$1」で書いてください。",
  "out-of-range": "許される範囲の値にしてください。",
  "payment-endpoint-not-https": "このエンドポイントは https にしてください。",
  "payment-gateway-mismatch": "paymentGatewayUrl を、merchantSession の initiativeContext と同じホストにしてください。",
  "payment-minor-units": "この通貨に小数はありません。整数で書いてください。",
  "payment-total-differs": "明細の合計と請求額を一致させてください。",
  "payment-total-not-positive": "0 より大きい金額にしてください。",
  "payment-without-3ds": "supports3DS を加えてください。",
  "picture-identifier-empty": "画像の ID を書くか、このキーを取り除いてください。",
  "picture-not-base64": "画像のバイト列を標準の base64 で書いてください。",
  "picture-too-large": "画像を小さくしてください。",
  "picture-type-differs": "mimeType を画像の実際の形式に合わせてください。",
  "picture-unknown": "images にある画像の ID を書いてください。",
  "picture-unreadable": "PNG や JPEG など、読める画像にしてください。",
  "placeholder-count": "U+FFFC と添付ファイルの数を合わせてください。",
  "quick-reply-count": "回答は 2〜5 個にしてください。",
  "reference-boundary": "10 KB を超えています。画像を小さくするか、参照(interactiveDataRef)を使ってください。",
  "reference-expected": "10 KB を超えるため、返信は参照(interactiveDataRef)で届きます。問題ではありません。",
  "request-missing": "「$1」を加えてください。",
  "request-type": "値の型が違います。",
  "request-unknown": "「$1」はここでは使えません。",
  "request-value": "「$1」の値を直してください。",
  "schema-mismatch": "許される形のどれにも当てはまりません。",
  "schema-named": "エディター用の $schema は、送る前に取り除いてください。",
  "selection-disagrees": "selectedIndex と selectedIdentifier が同じ項目を指すようにしてください。",
  "sign-in-key-form": "P-384 公開鍵の点(04 で始まる 97 バイト)を base64 で書いてください。",
  "sign-in-redirect-not-https": "redirectURI は https にしてください。",
  "slot-not-utc": "開始時刻は UTC に直して、2026-07-10T17:00+0000 のように書いてください。",
  "slot-past": "過ぎた候補は端末に表示されません。取り除いてください。",
  "slot-without-offset": "UTC に直し、末尾に +0000 を付けてください。",
  "slots-overlap": "候補の時間が重なっています。",
  "text-empty": "本文を書いてください。",
  "title-empty": "お客様が読む文字を書いてください。",
  "too-few": "項目を加えてください。",
  "too-long": "短くしてください。",
  "too-many": "項目を減らしてください。",
  "too-short": "文字を入力してください。",
  "unknown-key": "「$1」はここでは効果がありません。取り除いてください。",
  "unknown-type": "type に知られている種類を書いてください。",
  "value-ignored": "端末はこの値を無視します。取り除くか、意味のある値を書いてください。",
  "wrong-form": "決められた形式で書いてください。",
  "wrong-type": "値の型が違います。",
  "wrong-value": "決められた値のどれかにしてください。",
};

/**
 * @param {{rule: string, fix?: string, found?: string, pointer?: string}} finding
 * @returns {string}
 */
export function fixWords(finding) {
  return ownWords(finding) ?? (finding.fix || finding.found || finding.rule);
}

/**
 * The language of `fixWords` where it is not the page's, for a screen reader and the choice of type.
 * @param {{rule: string, fix?: string, found?: string, pointer?: string}} finding
 * @returns {string|null}
 */
export function fixLanguage(finding) {
  // The page words the errors that its own parser found.
  return language() === "en" || finding.code || ownWords(finding) !== null ? null : "en";
}

/** What the server says in English only, such as a schema's descriptions. @returns {string|null} */
export function serverLanguage() {
  return language() === "en" ? null : "en";
}

function ownWords(finding) {
  const own = language() === "ja" ? japanese[finding.rule] : undefined;
  if (!own) return null;
  const last = (finding.pointer ?? "").split("/").at(-1).replaceAll("~1", "/").replaceAll("~0", "~");
  const quoted = /"([^"]+)"/.exec(finding.fix ?? "")?.[1];
  const place = finding.rule === "unknown-key" && /^Move "[^"]*" to (the message itself|\/\S+),/.exec(finding.fix ?? "")?.[1];
  if (place) {
    return `「${last}」はここでは効果がありません。${place.startsWith("/") ? place : "メッセージの最上位"} に移すか、取り除いてください。`;
  }
  // The pointer names an unknown key; a missing or renamed one is named in the text.
  const name = finding.rule === "unknown-key" ? last : quoted ?? last;
  // Without a name the server's own text says more.
  return name || !own.includes("$1") ? own.replaceAll("$1", () => name) : null;
}
