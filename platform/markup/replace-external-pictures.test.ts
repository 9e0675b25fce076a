import { expect, test } from "vitest";
import { replaceExternalPictures } from "./replace-external-pictures.ts";

const origin = "https://stories.example";
const place = (html: string, pictures: Record<string, string> = {}) => replaceExternalPictures(html, { origin, pictures });

test("a stored picture is shown, any other becomes a link with its description", () => {
  const html = '<p>A <img src="https://a.example/1.png" alt="boat" loading="lazy"> and <img src="http://b.example/2.png"></p>';
  const { html: placed, missing } = place(html, { "https://a.example/1.png": "/files/f1/1200.webp" });
  expect(placed).toBe(
    '<p>A <img src="/files/f1/1200.webp" alt="boat" loading="lazy"> and <a href="http://b.example/2.png" rel="nofollow noopener ugc">Picture on b.example</a></p>',
  );
  expect(missing).toEqual(["http://b.example/2.png"]);
  expect(place(placed).html).toBe(placed);
});

test("own pictures stay, with any form of address, and so does HTML without pictures", () => {
  for (const html of [
    '<p><img src="/files/f1/1200.webp" alt=""></p>',
    '<p><img src="https://stories.example/files/f1"></p>',
    '<p><img src="files/f1"></p>',
    '<p><img src="/files/f1?download" alt=""></p>',
    '<p><img src="https://stories.example/v1/storage/buckets/files/files/f.1-a/view?project=inkstead"></p>',
    '<p><img src="/v1/storage/buckets/files/files/f1/preview?width=96&#x26;project=inkstead"></p>',
    "<p>&#x3C;img src='https://a.example/1.png'></p>",
    "<pre><code>&#x3C;img</code></pre>",
  ])
    expect(place(html)).toEqual({ html, missing: [] });
});

test.each([
  "/account/export/everything.zip",
  "https://stories.example/search/suggestions?q=boat",
  "../admin/emails/newsletter/subscribers",
  "?q=boat",
  "",
  "/files/../account/export/everything.zip",
  "/files/%2e%2e/account/export/everything.zip",
  "/files/f1/1200.webp/../../../post/night-bus",
  "/files/",
  "/files/f1/f2",
  "/v1/account",
  "/v1/storage/buckets/files/files/f1",
  "/v1/storage/buckets/files/files/f1/view/../../../../../account",
])("another address of the site, %j, becomes its description", (src) => {
  expect(place(`<p><img src="${src}" alt="boat" loading="lazy"></p>`)).toEqual({ html: "<p><span>boat</span></p>", missing: [] });
});

test("an own picture gets its size, unless the text has one", () => {
  const sized = { "/files/f1/1200.webp": { width: 1200, height: 800, srcSet: "/files/f1/640.webp 640w", sizes: "100vw" } };
  const html = '<p><img src="/files/f1/1200.webp" alt="" loading="lazy"></p>';
  const { html: placed } = replaceExternalPictures(html, { origin, pictures: {}, sized });
  expect(placed).toBe(
    '<p><img src="/files/f1/1200.webp" alt="" loading="lazy" width="1200" height="800" srcset="/files/f1/640.webp 640w" sizes="100vw"></p>',
  );
  expect(replaceExternalPictures(placed, { origin, pictures: {}, sized }).html).toBe(placed);
  const given = '<p><img src="/files/f1/1200.webp" width="40"></p>';
  expect(replaceExternalPictures(given, { origin, pictures: {}, sized }).html).toBe(given);
});

test("no form of address reaches another site", () => {
  for (const src of [
    "//a.example/1.png",
    "/\\a.example/1.png",
    "\\\\a.example/1.png",
    "HTTPS://A.example/1.png",
    " https://a.example/1.png",
    "ht\ntps://a.example/1.png",
    "http://stories.example/files/f1",
    "https://stories.example:8443/files/f1",
    "https://stories.example@a.example/",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "https://[",
  ]) {
    const { html } = place(`<p><img src="${src}" alt='"><img src="https://b.example/3.png">'></p>`);
    expect(html).not.toContain("<img");
  }
  expect(place('<picture><source srcset="https://a.example/1.png 1x"><img src="/files/f1"></picture>').html).toBe(
    '<picture><img src="/files/f1"></picture>',
  );
});

test("a picture in a link becomes its description", () => {
  const html = '<p><a href="https://a.example/"><em><img src="https://a.example/1.png" alt="boat"></em></a></p>';
  expect(place(html).html).toBe('<p><a href="https://a.example/"><em><span>boat</span></em></a></p>');
  expect(place('<p><img src="https://a.example/__proto__" alt=""></p>', {}).html).toContain("<a ");
});
