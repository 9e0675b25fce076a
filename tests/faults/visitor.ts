import { setTimeout as wait } from "node:timers/promises";

/** How requests were answered: what an operator and their visitors count. */
export class Tally {
  answered = 0;
  /** Nobody listened: nothing was sent, so it was tried again. */
  refused = 0;
  /** The connection broke before the answer was whole. */
  cut = 0;
  /** Answers of 500 and above, by what was asked. */
  readonly failed = new Map<string, number>();

  get failures(): number {
    return [...this.failed.values()].reduce((sum, times) => sum + times, 0);
  }
}

export type Answer = { status: number; location: string; text: string };

const tryAgainMs = 200;

/** A browser without its screen. What fails is asked again, as people do; the tally has how often. */
export class Visitor {
  readonly url: string;
  readonly tally: Tally;
  readonly #address: string;
  /** All that the site has set. */
  cookie = "";
  protected ended = false;

  /** `place`: a number; each has a network of its own. */
  constructor(url: string, place: number, tally: Tally) {
    this.url = url;
    this.tally = tally;
    this.#address = `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`;
  }

  read(path: string): Promise<Answer> {
    return this.ask("GET", path);
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.ask("POST", path, () => new URLSearchParams(fields));
  }

  async ask(method: string, path: string, body?: () => BodyInit): Promise<Answer> {
    for (;;) {
      const headers = { cookie: this.cookie, origin: this.url, "x-forwarded-for": this.#address };
      try {
        const answer = await fetch(this.url + path, { method, headers, redirect: "manual", body: body?.() ?? null });
        const text = await answer.text();
        const { status } = answer;
        if (status < 500 || this.ended) {
          this.tally.answered++;
          this.#keep(answer.headers.getSetCookie());
          return { status, location: answer.headers.get("location") ?? "", text };
        }
        const key = `${status} ${method} ${path.replaceAll(/\d+/g, "*")}`;
        this.tally.failed.set(key, (this.tally.failed.get(key) ?? 0) + 1);
      } catch (error) {
        const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
        if (code === "ECONNREFUSED") this.tally.refused++;
        else this.tally.cut++;
        if (this.ended) throw error;
      }
      await wait(tryAgainMs);
    }
  }

  #keep(set: string[]): void {
    const kept = new Map(this.cookie.split("; ").map((each) => [each.split("=", 1)[0], each]));
    for (const each of set) kept.set(each.split("=", 1)[0], each.split(";", 1)[0] ?? "");
    this.cookie = [...kept.values()].filter((each) => /=./.test(each)).join("; ");
  }
}
