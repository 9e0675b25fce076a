/** Loaded by `--import`: the process's clock jumps by JUMP_HOURS at a SIGUSR2, and back at the next. */
const real = Date;
let jump = 0;
process.on("SIGUSR2", () => {
  jump = jump === 0 ? Number(process.env.JUMP_HOURS) * 3_600_000 : 0;
});

class JumpingDate extends real {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(real.now() + jump);
    else super(...given);
  }
  static override now(): number {
    return real.now() + jump;
  }
}
globalThis.Date = JumpingDate as DateConstructor;
