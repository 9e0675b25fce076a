/** `on`: the viewer has reacted. */
export type SavedReaction = { on: boolean; count: number };

/** One request at a time. A press in the meantime waits in `next`, so that the last press wins. */
export type ReactionState = {
  saved: SavedReaction;
  sent: boolean | null;
  next: boolean | null;
  request: number;
  hasLiveCount: boolean;
};

export type ReactionEvent =
  | { type: "loaded"; saved: SavedReaction }
  | { type: "pressed" }
  | { type: "answered"; saved: SavedReaction }
  | { type: "failed" }
  | { type: "received"; on?: boolean | undefined; count?: number | undefined };

export function initialState(saved: SavedReaction): ReactionState {
  return { saved, sent: null, next: null, request: 0, hasLiveCount: false };
}

export function shownOf({ saved, sent, next }: ReactionState): SavedReaction {
  const on = next ?? sent ?? saved.on;
  return { on, count: Math.max(0, saved.count + Number(on) - Number(saved.on)) };
}

export function nextState(state: ReactionState, event: ReactionEvent): ReactionState {
  switch (event.type) {
    case "loaded":
      return { ...state, saved: event.saved };
    case "pressed": {
      const enabled = !shownOf(state).on;
      return state.sent === null ? send(state, enabled) : { ...state, next: enabled };
    }
    case "answered": {
      const count = state.hasLiveCount ? state.saved.count : event.saved.count;
      return sendNext({ ...state, saved: { on: event.saved.on, count } });
    }
    case "failed":
      return sendNext(state);
    case "received": {
      const saved = { on: event.on ?? state.saved.on, count: event.count ?? state.saved.count };
      return { ...state, saved, hasLiveCount: state.hasLiveCount || event.count !== undefined };
    }
  }
}

function send(state: ReactionState, enabled: boolean): ReactionState {
  return { ...state, sent: enabled, next: null, request: state.request + 1, hasLiveCount: false };
}

function sendNext(state: ReactionState): ReactionState {
  const { next, saved } = state;
  return next === null || next === saved.on ? { ...state, sent: null, next: null } : send(state, next);
}
