import { setTimeout as wait } from "node:timers/promises";

/** Counts of responses. */
export class ResponseCounts {
  answered = 0;
  /** Connection refused: nothing was sent, so the request was repeated. */
  refused = 0;
  /** The connection broke before the response was complete. */
  cut = 0;
  /** Responses of 500 and above, by request. */
  readonly failed = new Map<string, number>();

  get failures(): number {
    return [...this.failed.values()].reduce((sum, times) => sum + times, 0);
  }
}

export type Answer = { status: number; location: string; text: string };

const retryDelayMs = 200;

/** A browser without its screen. It repeats failed requests; `answers` counts them. */
export class RetryingClient {
  readonly url: string;
  readonly answers: ResponseCounts;
  readonly #address: string;
  cookie = "";
  protected ended = false;

  /** `network`: a number, from which the client address is made. */
  constructor(url: string, network: number, answers: ResponseCounts) {
    this.url = url;
    this.answers = answers;
    this.#address = `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;
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
        const response = await fetch(this.url + path, { method, headers, redirect: "manual", body: body?.() ?? null });
        const text = await response.text();
        const { status } = response;
        if (status < 500 || this.ended) {
          this.answers.answered++;
          this.#storeCookies(response.headers.getSetCookie());
          return { status, location: response.headers.get("location") ?? "", text };
        }
        const key = `${status} ${response.statusText} ${method} ${path.replaceAll(/\d+/g, "*")}`;
        this.answers.failed.set(key, (this.answers.failed.get(key) ?? 0) + 1);
      } catch (error) {
        const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
        if (code === "ECONNREFUSED") this.answers.refused++;
        else this.answers.cut++;
        if (this.ended) throw error;
      }
      await wait(retryDelayMs);
    }
  }

  #storeCookies(set: string[]): void {
    const cookies = new Map(this.cookie.split("; ").map((each) => [each.split("=", 1)[0], each]));
    for (const each of set) cookies.set(each.split("=", 1)[0], each.split(";", 1)[0] ?? "");
    this.cookie = [...cookies.values()].filter((each) => /=./.test(each)).join("; ");
  }
}
