import type { Outbox, Site } from "#domain/site.ts";
import { deliverDue } from "./delivery.server.ts";

/** Sends in the background, once at a time in this process. */
export class BackgroundOutbox implements Outbox {
  #delivering: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosing = false;

  wake(site: Site): Promise<void> | void {
    void this.run(site);
  }

  /** What has been claimed is still sent; the rest is for the other processes, or for the next start. */
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
