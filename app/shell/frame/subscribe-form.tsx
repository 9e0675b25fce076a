import { type FormEvent, useEffect, useId, useRef } from "react";
import { useFetcher, useLocation } from "react-router";
import type { action } from "#app/newsletter/subscribe-page.tsx";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";

/** In the footer. Without JavaScript it posts to the Subscribe page, which redirects back. */
export function SubscribeForm() {
  const fetcher = useFetcher<typeof action>();
  const form = useRef<HTMLFormElement>(null);
  const { pathname, search } = useLocation();
  const errorId = useId();
  const result = fetcher.data;
  const error = result?.error;
  useEffect(() => {
    if (!result || !("confirmation" in result)) return;
    form.current?.reset();
    showToast({ tone: "success", text: result.confirmation });
  }, [result]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    fields.delete("back");
    void fetcher.submit(fields, { method: "post", action: "/subscribe" });
  };
  return (
    <form ref={form} method="post" action="/subscribe" onSubmit={submit} className="mt-4" noValidate>
      <input type="hidden" name="back" value={pathname + search} />
      <div className="flex gap-2">
        <label className="min-w-0 flex-1">
          <span className="sr-only">Email</span>
          <input
            type="email"
            name="email"
            placeholder="Email"
            autoComplete="email"
            required
            maxLength={254}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            className="text-input h-10 px-3 max-lg:h-11"
          />
        </label>
        <Button type="submit" variant="ink" busy={fetcher.state !== "idle"}>
          Subscribe
        </Button>
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {result && "confirmation" in result && (
        <p role="status" className="mt-2 text-sm text-ink-2">
          {result.confirmation}
        </p>
      )}
    </form>
  );
}
