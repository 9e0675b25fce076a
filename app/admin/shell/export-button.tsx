import { type MouseEvent, useState } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Download } from "#app/ui/icons.tsx";
import { analyticsTexts } from "#domain/analytics/analytics.ts";
import { minutes } from "#platform/time.ts";

type ExportButtonProps = { format: "json" | "csv"; days: number; children: string };

/** A link to the file; scripts fetch it, so that they can say what became of it. */
export function ExportButton({ format, days, children }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);
  const address = `/admin/analytics/export/${format}?days=${days}`;
  const save = async (event: MouseEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const answer = await fetch(address);
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? `analytics.${format}`;
      saveFile(await answer.blob(), name);
      showToast({ tone: "success", text: analyticsTexts.exported });
    } catch {
      showToast({ tone: "error", text: analyticsTexts.failed });
    } finally {
      setBusy(false);
    }
  };
  return (
    <ButtonLink
      to={address}
      reloadDocument
      download
      icon={Download}
      aria-disabled={busy || undefined}
      onClick={(event) => void save(event)}
    >
      {children}
    </ButtonLink>
  );
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), minutes(1));
}
