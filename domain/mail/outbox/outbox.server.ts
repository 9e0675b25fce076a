import type { Outbox, Site } from "#domain/site.ts";
import { deliverDue } from "./delivery.server.ts";

/** One run at a time per process. */
export class BackgroundOutbox implements Outbox {
  #delivering: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosing = false;

  wake(site: Site): Promise<void> | void {
    void this.run(site);
  }

  /** Claimed emails are still sent. */
  close(): void {
    this.#isClosing = true;
  }

  protected run(site: Site): Promise<void> {
    this.#isAskedAgain = true;
    this.#delivering ??= this.#begin(site);
    return this.#delivering;
  }

  #begin(site: Site): Promise<void> {
    return new Promise((resolve) => {
      site.background.run("sending emails", async () => {
        try {
          while (this.#isAskedAgain) {
            this.#isAskedAgain = false;
            await deliverDue(site, () => this.#isClosing);
          }
        } finally {
          this.#delivering = undefined;
          resolve();
        }
      });
    });
  }
}
