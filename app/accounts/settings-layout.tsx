import type { ReactNode } from "react";
import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icons.tsx";

type SettingsLayoutProps = {
  title: string;
  lead?: ReactNode;
  back: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of account, profile and notification pages: back link, title and sections. */
export function SettingsLayout({ title, lead, back, actions, children }: SettingsLayoutProps) {
  return (
    <div className="mx-auto w-full max-w-wide px-4 pt-6 pb-16 sm:px-8 lg:pt-10 lg:pb-24 xl:px-0">
      <ButtonLink to={back.to} variant="ghost" icon={ArrowLeft} aria-label={`Back to ${back.label.toLowerCase()}`} className="-ml-3 px-3!">
        {back.label}
      </ButtonLink>
      <div className="mt-2 mb-7 flex flex-wrap items-end justify-between gap-x-3 gap-y-4">
        <div className="min-w-0">
          <h1 className="display text-d1">{title}</h1>
          {lead && <div className="mt-1 max-w-read text-base text-ink-2">{lead}</div>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}
