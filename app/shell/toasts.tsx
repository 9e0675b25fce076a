import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { resolveValue, toast, useToaster, type Toast as VisibleToast } from "react-hot-toast/headless";
import { IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { CircleAlert, CircleCheck, Info, X } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import type { Toast } from "./flash.ts";
import { useRoot } from "./root-data.ts";

/** Shown for 2 seconds if `success`, 4 otherwise; `loading` until a toast with the same `id` replaces it. The library keeps at most 20. */
export function showToast({ tone, text, id, link, button }: ToastToShow): string {
  const options = { ...(id ? { id } : {}), ...(button ? { duration: withButtonMs } : {}) };
  const content = link ? <TextWithLink text={text} {...link} /> : button ? <TextWithButton text={text} button={button} /> : text;
  if (tone === "success") return toast.success(content, options);
  if (tone === "error") return toast.error(content, options);
  if (tone === "loading") return toast.loading(content, options);
  return toast(content, options);
}

type ToastToShow = {
  tone: Toast["tone"] | "loading";
  text: string;
  id?: string;
  link?: { to: string; label: string };
  /** Such as Undo. */
  button?: ReactNode;
};

const withButtonMs = 10_000;

function TextWithButton({ text, button }: { text: string; button: ReactNode }) {
  return (
    <span className="flex items-center justify-between gap-3">
      {text} {button}
    </span>
  );
}

function TextWithLink({ text, to, label }: { text: string; to: string; label: string }) {
  return (
    <>
      {text}{" "}
      <Link to={to} className="whitespace-nowrap font-medium text-accent-ink underline underline-offset-4">
        {label}
      </Link>
    </>
  );
}

const tones = {
  success: { bar: "bg-success", ink: "text-success", icon: CircleCheck },
  error: { bar: "bg-danger", ink: "text-danger", icon: CircleAlert },
  info: { bar: "bg-info", ink: "text-info", icon: Info },
  loading: { bar: "bg-ink-3", ink: "text-ink-3", icon: Spinner },
};

function toneOf(shown: VisibleToast): keyof typeof tones {
  return shown.type === "success" || shown.type === "error" || shown.type === "loading" ? shown.type : "info";
}

export function Toasts() {
  const { toasts, handlers } = useToaster();
  const rootToasts = useRoot().toasts;
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    for (const each of rootToasts) showToast(each);
  }, [rootToasts]);
  useStuckPause(area, { isEmpty: toasts.length === 0, endPause: handlers.endPause });
  return (
    <section
      ref={area}
      aria-label="Notifications"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className="toasts"
    >
      {toasts
        .filter((shown) => shown.visible)
        .map((shown) => (
          <ToastCard
            key={shown.id}
            tone={toneOf(shown)}
            text={resolveValue(shown.message, shown)}
            onDismiss={() => toast.dismiss(shown.id)}
          />
        ))}
    </section>
  );
}

/**
 * Ends a pause whose end the library missed: the pointer may leave before the next render, and a toast removed under the pointer causes no
 * event. Otherwise toasts would stay forever and cover buttons.
 */
function useStuckPause(area: RefObject<HTMLElement | null>, { isEmpty, endPause }: { isEmpty: boolean; endPause: () => void }): void {
  useEffect(() => {
    if (isEmpty) return;
    const check = () => {
      if (!area.current?.matches(":hover, :focus-within")) endPause();
    };
    const timer = setInterval(check, 500);
    return () => clearInterval(timer);
  }, [area, isEmpty, endPause]);
}

type ToastCardProps = { tone: keyof typeof tones; text: ReactNode; onDismiss?: () => void };

function ToastCard({ tone, text, onDismiss }: ToastCardProps) {
  const { bar, ink, icon: IconComponent } = tones[tone];
  return (
    <div
      role={tone === "error" ? "alert" : "status"}
      className="pointer-events-auto relative flex min-h-12 w-full animate-rise items-center gap-3 overflow-hidden rounded-md border border-line bg-overlay pr-1 pl-4 shadow-lg"
    >
      <span aria-hidden className={classNames("absolute inset-y-0 left-0 w-[3px]", bar)} />
      <IconComponent aria-hidden className={classNames("size-[18px] shrink-0", ink)} />
      <span className="min-w-0 flex-1 py-2.5 text-base text-ink">{text}</span>
      {onDismiss && <IconButton size="sm" label="Dismiss" icon={X} onClick={onDismiss} />}
    </div>
  );
}

/** The toasts of a redirect, without JavaScript. */
export function ToastWithoutScript() {
  const { toasts } = useRoot();
  if (toasts.length === 0) return null;
  return (
    <noscript>
      <div className="mx-auto flex w-full max-w-page flex-col gap-2 px-4 pt-4 sm:px-8 xl:px-0">
        {toasts.map(({ tone, text }) => (
          <ToastCard key={text} tone={tone} text={text} />
        ))}
      </div>
    </noscript>
  );
}
