import { type MouseEvent, useState } from "react";
import { saveFile } from "#app/export/save-file.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Download } from "#app/ui/icons.tsx";
import { analyticsTexts } from "#domain/analytics/analytics.ts";

type ExportButtonProps = { format: "json" | "csv"; days: number; children: string };

/** A link that works without JavaScript. Scripts fetch the file to show a toast when it is saved. */
export function ExportButton({ format, days, children }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);
  const path = `/admin/analytics/export/${format}?days=${days}`;
  const save = async (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const response = await fetch(path);
      if (!response.ok || response.redirected) throw new Error(String(response.status));
      saveFile(await response.blob(), response, `analytics.${format}`);
      showToast({ tone: "success", text: analyticsTexts.exported });
    } catch {
      showToast({ tone: "error", text: analyticsTexts.failed });
    } finally {
      setBusy(false);
    }
  };
  return (
    <ButtonLink to={path} reloadDocument download icon={Download} aria-disabled={busy || undefined} onClick={(event) => void save(event)}>
      {children}
    </ButtonLink>
  );
}
