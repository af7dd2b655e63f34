/** Smallest side of a picture that becomes an icon, in pixels. */
const SMALLEST_SIDE = 180;

/**
 * Has a home screen keep this page under the name and picture of its business, which browsers read when the customer adds it.
 * @param {{id: string, picture: string|null}} business
 */
export async function showAsApp(business) {
  const link = (name) => document.querySelector(`link[rel="${name}"]`);
  link("manifest")?.setAttribute("href", `/b/${encodeURIComponent(business.id)}/manifest.webmanifest`);
  if (!business.picture) return;
  const picture = Object.assign(new Image(), { src: business.picture });
  // Safe: a picture that cannot be read leaves the page's own icon.
  await picture.decode().catch(() => {});
  const { naturalWidth, naturalHeight } = picture;
  // iOS prefers this icon to those of the manifest, and squeezes what is not square.
  if (naturalWidth === naturalHeight && naturalWidth >= SMALLEST_SIDE) link("apple-touch-icon")?.setAttribute("href", business.picture);
}
