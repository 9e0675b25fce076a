import { SettingsLayout } from "#app/accounts/settings-layout.tsx";
import { SettingsSection } from "#app/accounts/settings-section.tsx";
import { requireMember, siteContext } from "#app/context.ts";
import { pageMeta } from "#app/shell/page-meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Download } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { readStorage } from "#domain/files/files.server.ts";
import { sizeText } from "#domain/format.ts";
import type { Route } from "./+types/export-page.ts";
import { useDownload } from "./use-download.ts";

const exportPath = "/account/export/everything.zip";

export const loader = ({ context }: Route.LoaderArgs) => readStorage(context.get(siteContext), requireMember(context).id);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Download everything" });

export default function ExportPage({ loaderData: { used, quota } }: Route.ComponentProps) {
  return (
    <SettingsLayout title="Download everything" back={{ to: "/account", label: "Account" }}>
      <SettingsSection id="contents" title="What you get" text="One ZIP file.">
        <ul className="flex list-disc flex-col gap-1.5 pl-5 text-base">
          <li>Your stories and drafts as Markdown, with pictures and earlier versions</li>
          <li>Your profile and account</li>
          <li>Your likes and bookmarks, and who you follow or block</li>
          <li>Your messages and their attachments</li>
          <li>Your reports, and data saved by apps</li>
        </ul>
      </SettingsSection>
      <SettingsSection id="download" title="Download" text="This can take a while. You can keep reading while it downloads.">
        <p className="num mb-5 text-base text-ink-2">
          Your files and unfinished stories use {sizeText(used)} of the {sizeText(quota)} available to your account.
        </p>
        <DownloadButton />
      </SettingsSection>
    </SettingsLayout>
  );
}

function DownloadButton() {
  const hydrated = useHydrated();
  const { state, start, stop } = useDownload(exportPath);
  if (!hydrated)
    return (
      <ButtonLink to={exportPath} reloadDocument download variant="primary" icon={Download}>
        Download
      </ButtonLink>
    );
  const running = state.kind === "running";
  return (
    <div>
      <div className="flex gap-2">
        <Button variant="primary" icon={Download} busy={running} busyLabel="Downloading..." onClick={() => void start()}>
          Download
        </Button>
        {running && <Button onClick={stop}>Cancel</Button>}
      </div>
      {running && (
        <div className="mt-5 max-w-md">
          <progress aria-label="Download" max={100} value={state.percent} className="h-2 w-full" />
          <p className="num mt-1 text-sm text-ink-2">
            {megabytes(state.received)} of about {megabytes(state.about)} MB
          </p>
        </div>
      )}
      <p role="status" className="mt-4 text-base text-ink-2">
        {state.kind === "done" && `Download complete: ${megabytes(state.received)} MB.`}
        {state.kind === "failed" && <span className="text-danger">{state.reason}</span>}
      </p>
    </div>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
