import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LiveEvent } from "#domain/live.ts";
import { changeIn } from "./reaction.ts";
import { initialState, nextState, type ReactionEvent, type ReactionState, shownOf } from "./reaction-state.ts";

const at = (state: ReactionState, ...events: ReactionEvent[]) => events.reduce(nextState, state);
const fresh = initialState({ on: false, count: 3 });
const pressed = { type: "pressed" } as const;
const failed = { type: "failed" } as const;
const answered = (on: boolean, count: number) => ({ type: "answered", saved: { on, count } }) as const;

describe("a press of the button", () => {
  test("shows at once", () => {
    expect(shownOf(at(fresh, pressed))).toEqual({ on: true, count: 4 });
  });

  test("is undone if it fails", () => {
    expect(shownOf(at(fresh, pressed, failed))).toEqual({ on: false, count: 3 });
  });

  test("ends in the server's state", () => {
    expect(shownOf(at(fresh, pressed, answered(true, 9)))).toEqual({ on: true, count: 9 });
  });

  test("waits for the request in flight, and is sent if it changes anything", () => {
    const both = at(fresh, pressed, pressed);
    expect([shownOf(both), both.request]).toEqual([{ on: false, count: 3 }, 1]);
    expect(at(both, answered(true, 4))).toMatchObject({ request: 2, sent: false });
    expect(at(both, failed)).toMatchObject({ request: 1, sent: null });
    expect(at(both, pressed, answered(true, 4))).toMatchObject({ request: 1, sent: null });
  });
});

describe("live events", () => {
  test("the viewer's like in another tab is shown", () => {
    expect(shownOf(at(fresh, { type: "received", on: true, count: 4 }))).toEqual({ on: true, count: 4 });
  });

  test("the viewer's like is not counted twice if its event arrives first", () => {
    const received = [
      { type: "received", on: true, count: 4 },
      { type: "received", count: 4 },
    ] as const;
    expect(shownOf(at(fresh, pressed, ...received))).toEqual({ on: true, count: 4 });
    expect(shownOf(at(fresh, pressed, ...received, answered(true, 4)))).toEqual({ on: true, count: 4 });
  });

  test("a count that arrives before the answer stays", () => {
    expect(shownOf(at(fresh, pressed, { type: "received", count: 9 }, answered(true, 4)))).toEqual({ on: true, count: 9 });
  });

  test("events of other stories and reactions are ignored", () => {
    const own: LiveEvent = {
      ...{ topic: "user:maren", type: "reaction.changed", cursor: "1" },
      data: { reaction: "likes", postId: "a", on: true, count: 2 },
    };
    const countEvent: LiveEvent = {
      ...{ topic: "post:a", type: "reaction.changed", cursor: "1" },
      data: { reaction: "likes", postId: "a", count: 2 },
    };
    expect(changeIn(own, "a", "like")).toEqual({ on: true, count: 2 });
    expect(changeIn(own, "b", "like")).toBeUndefined();
    expect(changeIn(own, "a", "bookmark")).toBeUndefined();
    expect(changeIn(countEvent, "a", "like")).toEqual({ on: undefined, count: 2 });
    expect(changeIn({ topic: "post:a", type: "gap", data: {}, cursor: "1" }, "a", "like")).toBeUndefined();
  });
});

test("after any presses and losses, screen and server agree in the end", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("press", "arrive", "lose", "lose the answer"), { maxLength: 40 }), (steps) => {
      let server = false;
      let state = initialState({ on: false, count: 0 });
      const settle = (how: string) => {
        if (state.sent === null) return;
        if (how !== "lose") server = state.sent;
        state = nextState(state, how === "arrive" ? answered(server, Number(server)) : failed);
        // The event has the final state after a lost answer.
        state = nextState(state, { type: "received", on: server, count: Number(server) });
      };
      let last = false;
      for (const step of steps) {
        if (step !== "press") settle(step);
        else {
          state = nextState(state, pressed);
          last = shownOf(state).on;
        }
      }
      const lostAny = steps.some((step) => step.startsWith("lose"));
      while (state.sent !== null) settle("arrive");
      expect(shownOf(state)).toEqual({ on: server, count: Number(server) });
      if (!lostAny) expect(server).toBe(last);
    }),
  );
});
