import { expect } from "vitest";
import { findAndRenewSession } from "#server/session/session.ts";
import { formPost, type openWeb } from "../web.ts";
import { password, type World } from "../world.ts";

export const firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
export const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1";

type Served = { world: World; web: ReturnType<typeof openWeb> };

/** A browser without JavaScript, with cookies. */
export class PlainBrowser {
  readonly #served: Served;
  readonly #cookies = new Map<string, string>();
  readonly #userAgent: string;

  constructor(served: Served, userAgent = firefox) {
    this.#served = served;
    this.#userAgent = userAgent;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const { world, web } = this.#served;
    const headers = new Headers(init.headers);
    headers.set("cookie", this.cookie);
    headers.set("user-agent", this.#userAgent);
    const response = await web.request(path.replace(world.site.url, ""), { ...init, headers });
    for (const each of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = each.split("; ");
      const at = pair.indexOf("=");
      if (attributes.includes("Max-Age=0")) this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  post(path: string, fields: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, formPost(fields));
  }

  async signIn(email: string, typed = password): Promise<PlainBrowser> {
    const response = await this.post("/login", { email, password: typed });
    expect(response.status).toBe(302);
    return this;
  }

  /** Null without a session. */
  async who(): Promise<string | null> {
    return (await findAndRenewSession(this.#served.world.site, this.cookie)).viewer?.id ?? null;
  }
}
