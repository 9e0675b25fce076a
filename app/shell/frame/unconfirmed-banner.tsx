import { useFetcher } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { MailWarning } from "#app/ui/icons.tsx";
import { column } from "#app/ui/panel.tsx";
import { Personal } from "#app/ui/personal.tsx";

export function UnconfirmedBanner() {
  const { viewer } = useRoot();
  const fetcher = useFetcher();
  if (!viewer || viewer.isEmailConfirmed) return null;
  return (
    <section aria-label="Confirm your email" className="border-b border-warning-line bg-warning-soft text-warning">
      <div className={`${column} flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5`}>
        <MailWarning aria-hidden className="size-[18px] shrink-0 max-sm:hidden" />
        <p className="min-w-0 flex-1 basis-64 text-base">
          Please confirm your email. Open the link we sent to{" "}
          <Personal as="span" className="font-medium">
            <Email />
          </Personal>
          . Until then you can read, but you can’t publish or send messages.
        </p>
        <fetcher.Form method="post" action="/verify-email/again">
          <Button type="submit" size="sm" busy={fetcher.state !== "idle"}>
            Send again
          </Button>
        </fetcher.Form>
      </div>
    </section>
  );
}

function Email() {
  return useRoot().viewer?.email;
}
