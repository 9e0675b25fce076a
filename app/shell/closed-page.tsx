import { useLocation } from "react-router";
import { Wordmark } from "#app/shell/frame/wordmark.tsx";
import { Spot } from "#app/ui/art/spot.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { RotateCw } from "#app/ui/icons.tsx";
import type { ClosedResponse, PostedForm } from "./closed.ts";
import { useRoot } from "./root-data.ts";

export function ClosedPage({ code, title, message, siteName, form }: ClosedResponse) {
  const { pathname, search } = useLocation();
  const { viewer } = useRoot();
  const isSignedOut = code === "signed-out";
  const note = form && formText(form, isSignedOut);
  return (
    <>
      <header className="flex h-20 items-center px-5 sm:px-8">
        <Wordmark className="text-[1.9rem]" siteName={siteName} />
      </header>
      <main id="main" className="flex min-h-[640px] flex-col items-center justify-center px-5 pb-24 text-center lg:min-h-[700px]">
        <Spot name={code === "unavailable" ? "spill" : "calm"} className="w-64 max-w-full lg:w-80" />
        <h1 className="display mt-6 text-d1 lg:text-d2">{title}</h1>
        <p className="mt-3 max-w-md whitespace-pre-line text-balance font-reading text-lg text-ink-2 [overflow-wrap:anywhere]">{message}</p>
        {note && <p className="mt-2 max-w-md text-balance text-base text-ink-2">{note}</p>}
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          {form ? <SendAgain form={form} variant={isSignedOut ? "secondary" : "primary"} /> : <TryAgain to={pathname + search} />}
          {code !== "unavailable" && !viewer && (
            <ButtonLink to="/login" target={form && "_blank"} reloadDocument size="lg" variant={isSignedOut ? "primary" : "ghost"}>
              Sign In
            </ButtonLink>
          )}
        </div>
      </main>
    </>
  );
}

function TryAgain({ to }: { to: string }) {
  return (
    <ButtonLink to={to} reloadDocument size="lg" variant="primary" icon={RotateCw}>
      Try Again
    </ButtonLink>
  );
}

function formText({ hadFiles }: PostedForm, isSignedOut: boolean): string {
  const kept = isSignedOut ? "" : "Your changes may not have been saved. We kept what you entered. Choose Try Again to send it.";
  return `${kept} ${hadFiles ? "You’ll need to choose your files again." : ""}`.trim();
}

/** Works without JavaScript, like the form that was sent. */
function SendAgain({ form, variant }: { form: PostedForm; variant: "primary" | "secondary" }) {
  return (
    <form method="post" action={form.action}>
      {form.fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names can repeat, and the order never changes.
        <textarea key={index} name={name} defaultValue={value} hidden readOnly />
      ))}
      <Button type="submit" size="lg" variant={variant} icon={RotateCw}>
        Try Again
      </Button>
    </form>
  );
}
