import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Steps of an update besides moving the code; each returns whether it succeeded. */
export type UpdateSteps = {
  backUp(): Promise<boolean>;
  /** Installs and builds the version in the folder. */
  build(): Promise<boolean>;
  /** Starts the version in the folder, which migrates the database, and waits until it is ready; absent: the operator does that. */
  restart?: (() => Promise<boolean>) | undefined;
};

const run = promisify(execFile);

/**
 * Moves the repository in `folder` to the newest commit of its upstream branch. After a failure, code and build are restored. @returns the
 * exit code.
 */
export async function update(folder: string, steps: UpdateSteps, say: (line: string) => void): Promise<0 | 1> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: folder })).stdout.trim();
  const stop = (reason: string) => {
    say(reason);
    return 1 as const;
  };
  if ((await git("status", "--porcelain")) !== "")
    return stop("There are changes in this folder that are not committed. Nothing was done.");
  const before = await git("rev-parse", "HEAD");
  const followed = await git("rev-parse", "--abbrev-ref", "@{upstream}").catch(() => "");
  if (followed === "") return stop("This folder follows no branch. Nothing was done.");
  try {
    await git("fetch", "--quiet");
  } catch (error) {
    return stop(`The newest version can't be fetched: ${(error as Error).message.trim()}`);
  }
  const after = await git("rev-parse", followed);
  if (after === before) {
    say("This is the newest version.");
    return 0;
  }
  const isBehind = await git("merge-base", "--is-ancestor", before, after).then(
    () => true,
    () => false,
  );
  if (!isBehind) return stop(`This folder has commits that ${followed} doesn't have. Nothing was done.`);
  if (!(await steps.backUp())) return stop("The backup failed, so nothing was changed.");
  say(`Updating from ${before.slice(0, 8)} to ${after.slice(0, 8)} …`);
  await git("merge", "--ff-only", "--quiet", after);
  if (!(await steps.build())) return goBack("The new version couldn't be installed or built.", false);
  const installed = await git("diff", "--name-only", before, after, "--", "deploy");
  if (installed !== "") say(`Changed in this version: ${installed.split("\n").join(", ")}. If you installed a copy, install it again.`);
  if (!steps.restart) {
    say("Updated. Restart the site: the new version brings the database up to date when it starts.");
    return 0;
  }
  if (!(await steps.restart())) return goBack("The new version didn't get ready.", true);
  say("Updated, and ready.");
  return 0;

  async function goBack(reason: string, wasStarted: boolean): Promise<1> {
    say(`${reason} Going back to ${before.slice(0, 8)} …`);
    await git("reset", "--hard", "--quiet", before);
    if (!(await steps.build())) return stop("The version before couldn't be built again. Its code is in place: npm run build.");
    if (wasStarted && !(await steps.restart?.()))
      return stop(
        "The version before doesn't start on the new version's database. Restore the backup: npm run restore -- FILE --overwrite",
      );
    return stop("The version before is in place again.");
  }
}
