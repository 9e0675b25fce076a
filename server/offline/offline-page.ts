import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { longDate } from "#domain/dates.ts";
import type { Post } from "#domain/posts/post.ts";

type Page = { siteName: string; title: string; head?: unknown; body: unknown };

/** The service worker puts the list of kept stories here (public/service-worker.js). */
const keptPostsMarker = "<!--kept-->";

// Colors of app/theme/colors.css, which can't be loaded offline.
const styles = `
:root{color-scheme:light dark;--paper:light-dark(#faf7f0,#161310);--ink:light-dark(#17212d,#f3ece0);--ink-2:light-dark(#465160,#cbc1b2);--line:light-dark(#e5decf,#322c26);--accent:light-dark(#b8350f,#ff8a66)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.1875rem/1.65 Georgia,"Times New Roman",serif;overflow-wrap:anywhere}
header,p.by,.quiet,li span{font-family:system-ui,sans-serif;font-size:.9375rem;color:var(--ink-2)}
header{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;padding:1rem;border-bottom:1px solid var(--line)}
header a{font-weight:600;color:var(--ink);text-decoration:none}
main{max-width:42rem;margin:0 auto;padding:2rem 1rem 5rem}
h1{font-size:clamp(1.75rem,6vw,2.5rem);line-height:1.15;margin:0 0 .75rem}
h2,h3,h4{font-size:1.35rem;line-height:1.25;margin:2em 0 .5em}
a{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
.button{display:inline-block;margin:1rem 0;padding:.6rem 1.1rem;border-radius:.5rem;background:light-dark(#d63c10,#ff7148);color:light-dark(#fff,#1d0c05);font:600 1rem system-ui,sans-serif;text-decoration:none}
ul.kept{list-style:none;margin:0;padding:0}
ul.kept li{padding:.9rem 0;border-top:1px solid var(--line)}
ul.kept a{display:block;font-weight:600;color:var(--ink)}
blockquote{margin:1.5em 0;padding-left:1rem;border-left:3px solid var(--line)}
pre{overflow-x:auto;padding:1rem;border:1px solid var(--line);font-size:.875rem}
table{display:block;overflow-x:auto;border-collapse:collapse}
td,th{padding:.4rem .7rem;border:1px solid var(--line)}
img{color:var(--ink-2);font-style:italic}
`;

/** Allows only its own styles: pictures show their alternative text. */
export const offlinePolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(styles).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Shown offline for any address. */
export function offlinePage(siteName: string): string {
  const body = html`<main>
<h1>You’re offline</h1>
<p class="quiet">This page needs a connection. Stories and messages you were writing are kept on this device.</p>
<a class="button" href="">Try again</a>
${raw(keptPostsMarker)}
</main>`;
  return page({ siteName, title: `Offline · ${siteName}`, body });
}

/** A post without the frame of the site, to be stored on devices. */
export function postPage(siteName: string, { title, userName, publishedAt, content }: Post): string {
  const head = html`<meta name="author" content="${userName}">`;
  const body = html`<main><article>
<h1>${title}</h1>
<p class="by">By ${userName}${publishedAt === null ? "" : ` · ${longDate(publishedAt)}`}</p>
<div dir="auto">${raw(content)}</div>
</article></main>`;
  return page({ siteName, title, head, body });
}

function page({ siteName, title, head = "", body }: Page): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${raw(styles)}</style>
</head>
<body>
<header><a href="/">${siteName}</a><span>Offline</span></header>
${body}
</body>
</html>`);
}
