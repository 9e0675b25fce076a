import { networkOf } from "#domain/limits/rate-limits.server.ts";
import { minutes } from "#platform/time.ts";
import { ConcurrencyCounter, enterNetwork } from "./concurrent.ts";
import { socketLimits } from "./table.ts";

/** A socket counts for its network and for one account, or as anonymous. */
export type SocketSlot = {
  assignAccount(accountId: string): boolean;
  countAnonymous(): boolean;
  release(): void;
};

type Limits = Pick<typeof socketLimits, "perNetwork" | "anonymousApiPerNetwork" | "perAccount" | "total">;

export class SocketCounter {
  readonly #limits: Limits;
  readonly #networks = new ConcurrencyCounter();
  readonly #anonymous = new ConcurrencyCounter();
  readonly #accounts = new ConcurrencyCounter();
  readonly #all = new ConcurrencyCounter();

  constructor(chosen: Partial<Limits> = {}, factor = 1) {
    const { perNetwork, anonymousApiPerNetwork, perAccount, total } = { ...socketLimits, ...chosen };
    this.#limits = {
      perNetwork: perNetwork * factor,
      anonymousApiPerNetwork: anonymousApiPerNetwork * factor,
      perAccount: perAccount * factor,
      total,
    };
  }

  get open(): number {
    return this.#all.count("");
  }

  /** @returns a slot, or the status of the refusal. */
  enter(ip: string): SocketSlot | 429 | 503 {
    const network = networkOf(ip);
    const releases: (() => void)[] = [];
    // A socket may close during the look-ups before its identity is counted.
    let released = false;
    const hold = (leave: (() => void) | undefined) => {
      if (leave) releases.push(leave);
      return leave !== undefined;
    };
    const release = () => {
      released = true;
      for (const each of releases.splice(0)) each();
    };
    if (!hold(this.#all.enter("", this.#limits.total))) return 503;
    const fits = hold(enterNetwork(this.#networks, ip, this.#limits.perNetwork));
    const { setIdentity, leaveIdentity } = countIdentity();
    releases.push(leaveIdentity);
    const countAnonymous = () => !released && setIdentity(this.#anonymous, network, this.#limits.anonymousApiPerNetwork);
    const assignAccount = (accountId: string) => !released && setIdentity(this.#accounts, accountId, this.#limits.perAccount);
    if (fits) return { release, assignAccount, countAnonymous };
    release();
    return 429;
  }
}

/** A new identity is counted before the earlier one is released. */
function countIdentity() {
  let current: { counter: ConcurrencyCounter; key: string; leave: () => void } | undefined;
  return {
    setIdentity(counter: ConcurrencyCounter, key: string, max: number): boolean {
      if (current?.counter === counter && current.key === key) return true;
      const leave = counter.enter(key, max);
      if (!leave) return false;
      current?.leave();
      current = { counter, key, leave };
      return true;
    },
    leaveIdentity: () => current?.leave(),
  };
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
