import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { commandLine } from "#platform/config.ts";

/** Steps of an update besides moving the code; backup, build and restart return whether they succeeded. */
export type UpdateSteps = {
  backUp(): Promise<boolean>;
  /** Whether the build is of the version in the folder. */
  isBuilt(): boolean;
  /** Installs and builds the version in the folder. */
  build(): Promise<boolean>;
  /** Absent: the operator restarts the site. */
  site?: RestartableSite | undefined;
  /** The command line that restores a backup, for a message. */
  restoreCommand: string;
};

export type RestartableSite = {
  /** Where it is asked whether it is ready. */
  url: string;
  /** How long `restart` waits, for a message. */
  waitMinutes: number;
  isReady(): Promise<boolean>;
  /** Starts the version in the folder, which migrates the database, and waits until it is ready. */
  restart(): Promise<boolean>;
};

const run = promisify(execFile);

/** With the settings of the command that made the backup: the owner of the code may have others than the site. */
export function restoreCommand(backup: string | undefined): string {
  const [, program] = /^(.*\s)backup$/.exec(backup ?? "") ?? [];
  if (!program) return commandLine("restore", "FILE --overwrite");
  return `${program}restore ${program.endsWith("npm run ") ? "-- " : ""}FILE --overwrite`;
}

const alreadyNewest = "This is the newest version, and it is built. If an update was interrupted before its end, restart the site.";
const restartYourself = "Updated. Restart the site: the new version brings the database up to date when it starts.";
const updated = "Updated, and ready.";
const notBuilt = " The version in this folder isn't built: run npm run build and restart the site first.";
const uncommitted =
  "This folder has uncommitted changes; git status lists them. Nothing was done. If you don't need them here, or an update was interrupted, " +
  "put them aside with git stash --include-untracked, then update again.";
const noUpstream = "This folder's branch has no upstream. Nothing was done. Usually git switch main returns to the one that has.";
const whereToLook = "Check HOST and PORT, then read the site's log.";

function notReadyBefore({ url }: RestartableSite): string {
  return (
    `The site isn't ready at ${url}, so the update couldn't tell whether the new version is. ` +
    "Set HOST and PORT as the site has them, or update without --restart. Nothing was done."
  );
}

function notReadyAfter({ url, waitMinutes }: RestartableSite): string {
  return (
    `The new version isn't ready at ${url}. If its log shows that it was still preparing the database, ` +
    `update again with more minutes than --wait ${waitMinutes}.`
  );
}

/**
 * Moves the repository in `folder` to the newest commit of its upstream branch. After a failure, code and build are restored. An
 * update that was interrupted before the end of its build is finished. @returns the exit code.
 */
export async function update(folder: string, steps: UpdateSteps, log: (line: string) => void): Promise<0 | 1> {
  const git = async (...args: string[]) => (await run("git", args, { cwd: folder })).stdout.trim();
  const stop = (reason: string) => {
    log(reason);
    return 1 as const;
  };
  if ((await git("status", "--porcelain")) !== "") return stop(uncommitted);
  const before = await git("rev-parse", "HEAD");
  const upstream = await git("rev-parse", "--abbrev-ref", "@{upstream}").catch(() => "");
  if (upstream === "") return stop(noUpstream);
  try {
    await git("fetch", "--quiet");
  } catch (error) {
    return stop(`The newest version can't be fetched: ${(error as Error).message.trim()}`);
  }
  const after = await git("rev-parse", upstream);
  if (after === before) return steps.isBuilt() ? succeed(alreadyNewest) : finishInterrupted();
  const isBehind = await git("merge-base", "--is-ancestor", before, after).then(
    () => true,
    () => false,
  );
  if (!isBehind) return stop(`This folder has commits that ${upstream} doesn't have. Nothing was done.`);
  const { site } = steps;
  if (site && !(await site.isReady())) return stop(notReadyBefore(site));
  if (!(await steps.backUp())) return stop(`The backup failed, so nothing was changed.${steps.isBuilt() ? "" : notBuilt}`);
  log(`Updating from ${before.slice(0, 8)} to ${after.slice(0, 8)} …`);
  try {
    await git("merge", "--ff-only", "--quiet", after);
  } catch (error) {
    const isBack = await git("reset", "--hard", "--quiet", before).then(
      () => true,
      () => false,
    );
    const place = isBack ? "The previous version is in place again." : `Once the reason is gone, run git reset --hard ${before}.`;
    return stop(`The new version's files can't be written: ${(error as Error).message.trim()}\n${place}`);
  }
  if (!(await steps.build())) return rollBack("The new version couldn't be installed or built.", false);
  const installed = await git("diff", "--name-only", before, after, "--", "deploy");
  if (installed !== "") log(`Changed in this version: ${installed.split("\n").join(", ")}. If you installed a copy, install it again.`);
  if (!site) return succeed(restartYourself);
  if (!(await site.restart())) return rollBack(notReadyAfter(site), true);
  return succeed(updated);

  function succeed(message: string): 0 {
    log(message);
    return 0;
  }

  /** The interrupted update has made a backup, and there is no version to return to. */
  async function finishInterrupted(): Promise<0 | 1> {
    log("The newest version is in this folder but not built: an update was interrupted, or the code was fetched by hand.");
    if (!(await steps.build())) return stop("It couldn't be installed or built. Once the reason is gone, run the update again.");
    if (!steps.site) return succeed(restartYourself);
    return (await steps.site.restart()) ? succeed(updated) : stop(`It isn't ready at ${steps.site.url}. ${whereToLook}`);
  }

  async function rollBack(reason: string, wasStarted: boolean): Promise<1> {
    log(`${reason} Returning to ${before.slice(0, 8)} …`);
    await git("reset", "--hard", "--quiet", before);
    if (!(await steps.build())) return stop("The previous version couldn't be built again. Its code is in place: run npm run build.");
    if (wasStarted && site && !(await site.restart()))
      return stop(
        `The previous version isn't ready at ${site.url} either. ${whereToLook} Only if it says that this version doesn't know a ` +
          `migration, stop the site and restore the backup, without what was written since: ${steps.restoreCommand}`,
      );
    return stop("The previous version is in place again.");
  }
}
