const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const repeatedSignalMs = 500;

/**
 * Whether a command gets its own session, and with it no terminal: Ctrl-C would otherwise arrive twice, which means "at once". `update`
 * keeps the terminal, on which sudo asks for a password, and forwards a repeated signal once.
 */
export function runsInOwnSession(command, platform = process.platform) {
  return command !== "update" && platform !== "win32";
}

/**
 * Forwards each signal to the child once: npm, the shell and the terminal may all send it. `onSignal` is called with it; `override` replaces the
 * signal. @returns a function that stops forwarding.
 */
export function forwardSignals(child, { onSignal = () => {}, override = undefined } = {}) {
  let last = 0;
  const pass = (signal) => {
    if (Date.now() - last < repeatedSignalMs) return;
    last = Date.now();
    onSignal();
    child.kill(override ?? signal);
  };
  const end = () => pass("SIGTERM");
  for (const signal of signals) process.on(signal, pass);
  if (process.connected) process.on("disconnect", end);
  const stopWatching = process.env.npm_lifecycle_event ? watchParent(end) : () => {};

  return () => {
    stopWatching();
    process.removeListener("disconnect", end);
    for (const signal of signals) process.removeListener(signal, pass);
  };
}

/** npm signals the shell between it and us, which may die silently. */
function watchParent(gone) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, 300);
  return () => clearInterval(watch);
}
