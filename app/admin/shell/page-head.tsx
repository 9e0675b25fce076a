import type { ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icons.tsx";

type PageHeadProps = { title: string; line?: ReactNode; back?: { to: string; label: string }; children?: ReactNode };

export function PageHead({ title, line, back, children }: PageHeadProps) {
  return (
    <>
      {back && (
        <ButtonLink to={back.to} variant="ghost" icon={ArrowLeft} className="mb-2 -ml-3 px-3!">
          {back.label}
        </ButtonLink>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="display text-d1 [overflow-wrap:anywhere]">{title}</h1>
          {line && <p className="num mt-1 text-base text-ink-2">{line}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:has-[fieldset]:grow">{children}</div>
      </div>
    </>
  );
}
