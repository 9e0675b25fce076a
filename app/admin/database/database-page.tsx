import { useEffect } from "react";
import { Form, type ShouldRevalidateFunctionArgs, useNavigation, useRevalidator } from "react-router";
import { DashboardPanel } from "#app/admin/dashboard/dashboard-panel.tsx";
import { FormError } from "#app/admin/shell/form-error.tsx";
import { PageHead } from "#app/admin/shell/page-head.tsx";
import { RefreshButton } from "#app/admin/shell/refresh-button.tsx";
import { siteContext, viewerContext } from "#app/context.ts";
import { catchRequestFailure } from "#app/shell/catch-request-failure.ts";
import { connectionLost } from "#app/shell/closed.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button } from "#app/ui/button.tsx";
import { DatabaseBackup, ShieldCheck } from "#app/ui/icons.tsx";
import { TimeAgo } from "#app/ui/time-ago.tsx";
import type { Backup, Check } from "#domain/backups/backup.ts";
import { listBackups } from "#domain/backups/backups.server.ts";
import { type DatabaseFacts, readCheck, readDatabase, removeSecondStepCommand } from "#domain/backups/database.server.ts";
import { offsiteUrl } from "#domain/backups/offsite.server.ts";
import { shortDate } from "#domain/dates.ts";
import { fullCount, sizeText } from "#domain/format.ts";
import type { Route } from "./+types/database-page.ts";
import { BackupList } from "./backup-list.tsx";
import { BackupSettings } from "./backup-settings.tsx";
import { CheckResult } from "./check-result.tsx";
import { type DatabaseRefusal, runDatabaseAction } from "./database-action.server.ts";
import { LastBackup } from "./last-backup.tsx";
import { Offsite } from "./offsite.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const [site, viewer] = [context.get(siteContext), context.get(viewerContext)];
  const [database, backups, check] = await Promise.all([readDatabase(site, viewer), listBackups(site, viewer), readCheck(site, viewer)]);
  const { backupEvery, backupsKept } = site.settings;
  return {
    database,
    backups,
    check,
    settings: { backupEvery, backupsKept },
    offsite: offsiteUrl(site),
    resetCommand: removeSecondStepCommand(),
    now: site.now(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return runDatabaseAction(context.get(siteContext), context.get(viewerContext), request);
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  catchRequestFailure(serverAction, { form: null, text: connectionLost } satisfies DatabaseRefusal);

/** Also after a conflict, which needs the current settings. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return defaultShouldRevalidate || actionStatus === 409;
}

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Database" });

export default function DatabasePage({ loaderData, actionData }: Route.ComponentProps) {
  const { database, backups, check, settings, offsite, resetCommand, now } = loaderData;
  const errorIn = (place: "head" | "settings") =>
    (actionData?.form === "settings") === (place === "settings") ? actionData?.text : undefined;
  const running = backups.some(({ state }) => state === "running") || check?.state === "running";
  usePolling(running, now);
  return (
    <>
      <PageHead title="Database" line={`Version ${database.program} · ${database.engine} ${database.version} · ${sizeText(database.size)}`}>
        <RunButton what="check" disabled={running} />
        <RunButton what="backup" disabled={running} />
        <RefreshButton toast="Database refreshed" />
      </PageHead>
      <FormError>{errorIn("head")}</FormError>
      <LastBackup backups={backups} every={settings.backupEvery} now={now}>
        <Offsite backups={backups} url={offsite} now={now} />
      </LastBackup>
      <DashboardPanel title="Backups" className="mt-6">
        <BackupList backups={backups} now={now} />
        <p className="mt-4 max-w-3xl text-sm text-ink-2">
          A backup doesn’t contain the site’s SECRET. Keep that in a safe place of its own. If you restore with a different one, passwords,
          passkeys and API keys still work, but everyone has to sign in again, links in emails already sent stop working, and members with
          an authenticator app can’t sign in until you run <code>{resetCommand}</code> for them.
        </p>
        <BackupSettings {...settings} error={errorIn("settings")} />
      </DashboardPanel>
      <div className="mt-6 grid gap-6 lg:grid-cols-2">
        <DashboardPanel title="Integrity check">
          <CheckResult check={check} now={now} />
        </DashboardPanel>
        <Migrations migrations={database.migrations} />
      </div>
      <Tables tables={database.tables} lastCount={lastCountOf(backups, check)} now={now} />
    </>
  );
}

const refreshIntervalMs = 2_000;

/** Reloads while something runs. `loadedAt`: a busy browser can start and finish a revalidation in one render. */
function usePolling(running: boolean, loadedAt: number): void {
  const { revalidate, state } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load schedules the next one.
  useEffect(() => {
    if (!running || state !== "idle") return;
    const timer = setTimeout(() => void revalidate(), refreshIntervalMs);
    return () => clearTimeout(timer);
  }, [running, state, loadedAt, revalidate]);
}

function RunButton({ what, disabled }: { what: "backup" | "check"; disabled: boolean }) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("do") === what;
  const [label, icon] = what === "backup" ? ["Back up now", DatabaseBackup] : ["Check now", ShieldCheck];
  return (
    <Form method="post" preventScrollReset>
      <Button type="submit" name="do" value={what} variant={what === "backup" ? "primary" : "secondary"} {...{ icon, disabled, busy }}>
        {label}
      </Button>
    </Form>
  );
}

type TablesProps = { tables: DatabaseFacts["tables"]; lastCount: LastCount | undefined; now: number };

/** Counters are exact; other rows are from the last count. */
function Tables({ tables, lastCount, now }: TablesProps) {
  return (
    <DashboardPanel title="Tables" className="mt-6">
      <p className="text-base text-ink-2">
        {lastCount ? (
          <>
            Rows per table. Gray numbers are from the last {lastCount.by}, <TimeAgo time={lastCount.at} now={now} />.
          </>
        ) : (
          "Rows per table. Gray numbers are estimates until the next check or backup."
        )}
      </p>
      <dl className="mt-3 gap-x-10 sm:columns-2 xl:columns-3">
        {tables.map(({ name, rows, exact }) => {
          const known = exact ? rows : (lastCount?.tables[name] ?? rows);
          return (
            <div key={name} className="flex items-baseline justify-between gap-3 border-b border-line py-1.5">
              <dt className="min-w-0 truncate font-mono text-sm">{name}</dt>
              <dd className={`num text-base ${exact ? "" : "text-ink-2"}`}>{fullCount(known)}</dd>
            </div>
          );
        })}
      </dl>
    </DashboardPanel>
  );
}

type LastCount = { tables: Record<string, number>; at: number; by: "backup" | "check" };

function lastCountOf(backups: Backup[], check: Check | null): LastCount | undefined {
  const backup = backups.find(({ report }) => report);
  const counts = [
    backup?.report && { tables: backup.report.tables, at: backup.startedAt, by: "backup" as const },
    check?.report && { tables: check.report.tables, at: check.startedAt, by: "check" as const },
  ];
  return counts.filter((each) => each !== null && each !== undefined).sort((a, b) => b.at - a.at)[0];
}

function Migrations({ migrations }: Pick<DatabaseFacts, "migrations">) {
  const last = migrations.at(-1);
  return (
    <DashboardPanel title="Migrations">
      <p className="text-base">
        {migrations.length} applied, the last on {shortDate(last?.at ?? 0)}.
      </p>
      <details className="mt-1 text-sm">
        <summary className="inline-flex min-h-8 cursor-pointer items-center font-medium text-accent-ink hover:underline max-lg:min-h-11">
          Show all
        </summary>
        <ul className="mt-1">
          {migrations.map(({ name, at }) => (
            <li key={name} className="flex justify-between gap-3 border-b border-line py-1.5 last:border-0">
              <span className="font-mono">{name}</span>
              <span className="num text-ink-2">{shortDate(at)}</span>
            </li>
          ))}
        </ul>
      </details>
    </DashboardPanel>
  );
}
