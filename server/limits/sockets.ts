import { networkOf } from "#domain/limits/attempts.server.ts";
import { minutes } from "#platform/time.ts";
import { Concurrent } from "./concurrent.ts";
import { socketLimits } from "./table.ts";

export type SocketPlace = {
  belongTo(accountId: string): boolean;
  visit(): boolean;
  leave(): void;
};

type Limits = Pick<typeof socketLimits, "perNetwork" | "visitingProgramsPerNetwork" | "perAccount" | "inAll">;

export class SocketCounter {
  readonly #limits: Limits;
  readonly #networks = new Concurrent();
  readonly #visiting = new Concurrent();
  readonly #accounts = new Concurrent();
  readonly #all = new Concurrent();

  constructor(chosen: Partial<Limits> = {}, factor = 1) {
    const { perNetwork, visitingProgramsPerNetwork, perAccount, inAll } = { ...socketLimits, ...chosen };
    this.#limits = {
      perNetwork: perNetwork * factor,
      visitingProgramsPerNetwork: visitingProgramsPerNetwork * factor,
      perAccount: perAccount * factor,
      inAll,
    };
  }

  get open(): number {
    return this.#all.count("");
  }

  /** @returns a place, or the status of the refusal. */
  enter(address: string): SocketPlace | 429 | 503 {
    const network = networkOf(address);
    const leaves: (() => void)[] = [];
    const enter = (counter: Concurrent, key: string, most: number) => {
      const leave = counter.enter(key, most);
      if (leave) leaves.push(leave);
      return leave !== undefined;
    };
    const leave = () => {
      for (const each of leaves.splice(0)) each();
    };
    if (!enter(this.#all, "", this.#limits.inAll)) return 503;
    const fits = enter(this.#networks, network, this.#limits.perNetwork);
    const visit = () => enter(this.#visiting, network, this.#limits.visitingProgramsPerNetwork);
    const belongTo = (accountId: string) => enter(this.#accounts, accountId, this.#limits.perAccount);
    if (fits) return { leave, belongTo, visit };
    leave();
    return 429;
  }
}

/** Units that a connection has used within a minute. */
export class MinuteBudget {
  #from = 0;
  #units = 0;

  spend(units: number, maxUnits: number): boolean {
    const now = performance.now();
    if (now - this.#from > minutes(1)) [this.#from, this.#units] = [now, 0];
    this.#units += units;
    return this.#units <= maxUnits;
  }
}
