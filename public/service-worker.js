/**
 * Shows notifications, and what this device keeps of stories that were read while there is no connection
 * (docs/decisions/0041-push.md). Pages and assets always come from the network.
 */
const keptCache = "kept-stories";
const offlineCache = "offline";
const maxStories = 20;
const maxCharacters = 400_000;
const offlinePath = "/offline";
/** Says that a member was here; not an address of the site. */
const memberMark = "/offline/-/member";

/** A page says that it is read this long after it was opened (app/posts/use-view-tracking.ts). */
const viewDelayMs = 1500;

/** Goes up when everything is cleared, so that nothing arrives after it. */
let generation = 0;
let clearedAt = 0;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(refreshOfflinePage());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== self.location.origin) return;
  if (method === "GET" && mode === "navigate") event.respondWith(navigate(event, pathname));
  if (method === "POST") observePost(event, pathname.replace(/\.data$/, ""));
});

self.addEventListener("push", (event) => {
  const { title, tag, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { tag, icon: "/icon-192.png", data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});

/** Pages say what happens by what they send anyway: a story counts as read, somebody signs in or out. */
function observePost(event, pathname) {
  const [, slug] = /^\/post\/([^/]+)\/view$/.exec(pathname) ?? [];
  if (slug) event.waitUntil(keep(slug));
  if (/^\/(?:login|signup|setup)(?:\/|$)/.test(pathname)) event.respondWith(clearAround(event.request, { isMember: true }));
  if (pathname === "/logout") event.respondWith(clearAround(event.request, { isMember: false }));
  if (pathname === "/account/delete") event.respondWith(clearAfterDeletion(event.request));
}

/** Before, since the answer may be lost, and after, since the page goes on meanwhile. */
async function clearAround(request, who) {
  await clear(who).catch(() => {});
  const answer = await fetch(request);
  await clear(who).catch(() => {});
  return answer;
}

/** Not before: whoever mistypes the password stays a member. A lost answer shows at the next page. */
async function clearAfterDeletion(request) {
  const answer = await fetch(request);
  if (answer.ok || answer.type === "opaqueredirect") await clear({ isMember: false }).catch(() => {});
  return answer;
}

async function navigate(event, pathname) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(compare(answer, pathname).catch(() => {}));
    return answer;
  } catch {
    return (await findKept(pathname)) ?? (await offlinePage()) ?? Response.error();
  }
}

/** A story is kept as visitors get it, whoever reads it: nothing of a member is in any cache. */
async function keep(slug) {
  // Sent by a page opened before the last clear.
  if (Date.now() - clearedAt < viewDelayMs) return;
  const began = generation;
  const path = `${offlinePath}/${slug}`;
  const answer = await fetch(path, { credentials: "omit", cache: "no-store" }).catch(() => undefined);
  const html = answer?.ok ? await answer.text() : "";
  if (began !== generation || !answer || (!answer.ok && answer.status !== 404)) return;
  const kept = await caches.open(keptCache);
  // Delete first, so it is re-added as the last key.
  await kept.delete(path);
  if (answer.ok && html.length <= maxCharacters) await kept.put(path, new Response(html, { headers: answer.headers }));
  for (const old of (await kept.keys()).slice(0, -maxStories)) await kept.delete(old);
  if (began !== generation) await caches.delete(keptCache);
  await refreshOfflinePage();
}

/** Whoever was signed out elsewhere, or whose session has ended, meets a visitor's page: then nothing of what they read stays. */
async function compare(answer, pathname) {
  const { ok, headers } = answer;
  // Files may have the same caching rule as visitors' pages.
  const made = ok && headers.get("content-type")?.startsWith("text/html") && headers.get("cache-control");
  const offline = await caches.open(offlineCache);
  if (made === "private, no-store") await offline.put(memberMark, new Response(""));
  if (made === "private, no-cache" && (await offline.match(memberMark))) await clear({ isMember: false });
  // A story that can't be read leads elsewhere: perhaps nobody may read it any more.
  if (answer.type === "opaqueredirect" && (await findKept(pathname))) await keep(slugOf(pathname));
}

async function clear({ isMember }) {
  generation++;
  clearedAt = Date.now();
  await caches.delete(keptCache);
  const offline = await caches.open(offlineCache);
  await (isMember ? offline.put(memberMark, new Response("")) : offline.delete(memberMark));
  for (const shown of await self.registration.getNotifications()) shown.close();
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

function slugOf(pathname) {
  return /^\/post\/([^/]+)\/?$/.exec(pathname)?.[1];
}

async function findKept(pathname) {
  const slug = slugOf(pathname);
  return slug && (await caches.open(keptCache)).match(`${offlinePath}/${slug}`);
}

async function refreshOfflinePage() {
  const answer = await fetch(offlinePath, { credentials: "omit", cache: "no-store" });
  if (answer.ok) await (await caches.open(offlineCache)).put(offlinePath, answer);
}

async function offlinePage() {
  const page = await (await caches.open(offlineCache)).match(offlinePath);
  if (!page) return undefined;
  const html = (await page.text()).replace("<!--kept-->", await keptList());
  return new Response(html, { headers: page.headers });
}

/** Titles and names stay escaped as they are in the pages that they come from. */
async function keptList() {
  const kept = await caches.open(keptCache);
  const items = [];
  for (const request of (await kept.keys()).reverse()) {
    const html = await (await kept.match(request)).text();
    const [, title = ""] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
    const [, author = ""] = /<meta name="author" content="([^"]*)">/.exec(html) ?? [];
    const slug = new URL(request.url).pathname.slice(offlinePath.length + 1);
    items.push(`<li><a href="/post/${slug}">${title}</a><span>By ${author}</span></li>`);
  }
  return items.length > 0 ? `<h2>Recently read on this device</h2><ul class="kept">${items.join("")}</ul>` : "";
}

async function openPage(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = open.find((each) => each.url === url.href);
  await (shown ? shown.focus() : self.clients.openWindow(url.href));
}
