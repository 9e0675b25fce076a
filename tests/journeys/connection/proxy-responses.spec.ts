import type { Page } from "@playwright/test";
import { loadFailure } from "#app/shell/load-failure-texts.ts";
import { listPages } from "../../permissions/endpoints.ts";
import { signIn } from "../../support/members.ts";
import { addPost } from "../../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";

const proxyResponses = [
  { status: 502, contentType: "text/html", body: "<html><h1>502 Bad Gateway</h1></html>" },
  { status: 500, contentType: "text/plain", body: "Internal Server Error" },
  { status: 200, contentType: "text/html", body: "<html>Please sign in to this network</html>" },
];

const parts: [name: string, holds: (path: string) => boolean][] = [
  ["of stories and drafts", (path) => /^\/(post|add-post|edit-post|drafts|all-posts|profile|edit-profile|home)\b/.test(path)],
  ["in the admin area", (path) => path.startsWith("/admin")],
  ["elsewhere", () => true],
];

for (const [part, [name]] of parts.entries())
  test(
    `a response from a proxy instead of the site leaves the screen in place, on loads and submits ${name}`,
    inBrowserOnly,
    async ({ page, site, newMember, problems, context, baseURL }) => {
      test.slow();
      problems.allow(/Failed to load resource|turbo-stream|Error/);
      // The script that records toasts is blocked in the newsletter's preview.
      problems.allow(/Blocked script execution in 'about:srcdoc'/);
      const admin = await newMember("Proxy Responses", { staff: "administrator" });
      const { cookie } = await signIn({ site }, admin, { reauthenticated: true });
      const [key = "", value = ""] = cookie.split("=", 2);
      await context.addCookies([{ name: key, value, url: String(baseURL) }]);
      const post = `foreign-${part}`;
      await addPost({ site }, admin, { id: post, title: "Foreign" });
      const { id: otherId } = await newMember("Somebody Else");
      await page.addInitScript(interceptFetch);
      await page.goto("/subscribe");
      await waitForHydration(page);
      const routes = (await listPages()).filter(({ path }) => parts.findIndex(([, holds]) => holds(path)) === part);
      for (const [index, route] of routes.entries()) {
        const withId = route.path.replace(/:(slug|id)/, post).replace(":userId", otherId);
        const address = withId.replaceAll(/:\w+/g, "privacy").replace("*", "no/such/page");
        if (route.screen && route.loader) await test.step(`load ${address}`, () => load(page, address, index));
        if (route.action) await test.step(`send to ${address}`, () => send(page, { ...route, address }, index + 1));
      }
    },
  );

type ProxyResponse = { status: number; contentType: string; body: string };
type InterceptingWindow = { proxyResponse?: ProxyResponse | undefined };

/** Runs in the page, because routing every request through the test takes twice the time. */
function interceptFetch(): void {
  const originalFetch = window.fetch;
  window.fetch = async (input, init) => {
    const { proxyResponse } = window as InterceptingWindow;
    if (!proxyResponse || !/\.data(\?|$)/.test(String(input))) return originalFetch(input, init);
    const { status, contentType, body } = proxyResponse;
    return new Response(body, { status, headers: { "content-type": contentType } });
  };
}

async function withProxyResponse(page: Page, index: number, run: () => Promise<void>): Promise<void> {
  const answer = (proxyResponse?: ProxyResponse) =>
    page.evaluate((given) => Object.assign(window, { proxyResponse: given }) && undefined, proxyResponse);
  await answer(proxyResponses[index % proxyResponses.length]);
  await run();
  await answer();
}

async function load(page: Page, address: string, index: number): Promise<void> {
  await go(page, address === "/subscribe" ? "/notifications" : "/subscribe");
  await withProxyResponse(page, index, async () => {
    await go(page, address);
    await expectScreen(page, address);
    await expect(page.getByRole("main")).toContainText(String(loadFailure(loadFailure(address).redirectTo ?? address).text));
  });
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("main")).not.toContainText("Try Again");
}

type Target = { id: string; screen: boolean; address: string };

/** From the address's own page, if any. */
async function send(page: Page, { id, screen, address }: Target, index: number): Promise<void> {
  const opens = screen && ((await isShown(page, address)) || (await go(page, address)));
  if (!opens) await go(page, "/subscribe");
  const before = await page.evaluate(() => location.pathname);
  await page.evaluate(() => {
    for (const toast of document.querySelectorAll<HTMLElement>("[aria-label=Dismiss]")) toast.click();
  });
  await withProxyResponse(page, index, async () => {
    if (screen) await go(page, address, { form: true });
    const answer = screen ? undefined : await sendInPlace(page, address, id);
    await expectScreen(page, address);
    // An address without a screen gets its requests from a button elsewhere, which shows the result itself.
    if (!answer) await expect(page.getByRole("alert").or(page.locator("main .text-danger")).first(), address).toBeVisible();
  });
  if (opens) expect(await page.evaluate(() => location.pathname)).toBe(before);
}

/** Navigates as a link or a form does. @returns whether the address has a page. */
async function go(page: Page, address: string, { form = false } = {}): Promise<boolean> {
  await page.evaluate(
    async ([to, sends]) => {
      const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
      const body = new FormData();
      body.set("confirmed", "yes");
      await router.navigate(to, sends ? { formMethod: "post", formData: body } : {});
    },
    [address, form] as const,
  );
  return isShown(page, address);
}

async function isShown(page: Page, address: string): Promise<boolean> {
  const path = await page.evaluate(() => location.pathname);
  return path === address && (await page.getByRole("heading", { name: "Page Not Found" }).count()) === 0;
}

/** Sends as a button does that stays on its page. @returns its data. */
function sendInPlace(page: Page, address: string, routeId: string): Promise<unknown> {
  return page.evaluate(
    async ([to, id]) => {
      const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
      const body = new FormData();
      body.set("confirmed", "yes");
      let data: unknown;
      router.subscribe(({ fetchers }) => {
        data = fetchers.get(to)?.data ?? data;
      });
      await router.fetch(to, id, to, { formMethod: "post", formData: body });
      return data;
    },
    [address, routeId] as const,
  );
}

type Router = {
  navigate(to: string, options: object): Promise<void>;
  subscribe(listener: (state: { fetchers: Map<string, { data?: unknown }> }) => void): void;
  fetch(key: string, routeId: string, to: string, options: object): Promise<void>;
};

async function expectScreen(page: Page, address: string): Promise<void> {
  await expect(page.locator("body"), address).not.toContainText("Oops!");
  await expect(page.locator("#main"), address).toBeVisible();
}
