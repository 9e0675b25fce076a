import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Link, type To } from "#app/ui/link.tsx";

type AuthPageProps = { title: string; intro?: ReactNode; children?: ReactNode };

/** A page inside `AuthLayout`. */
export function AuthPage({ title, intro, children }: AuthPageProps) {
  return (
    <>
      <h1 className="display text-d1">{title}</h1>
      {intro && <p className="mt-1.5 text-md text-ink-2">{intro}</p>}
      {children}
    </>
  );
}

export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <ButtonLink to={to} variant="primary" size="lg" className="mt-8 w-full">
      {children}
    </ButtonLink>
  );
}

type AuthButtonProps = { action?: string; busyLabel?: string; children: ReactNode };

/** A form that consists of its button. */
export function AuthButton({ action, busyLabel, children }: AuthButtonProps) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" {...(action && { action })} className="mt-8">
      <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={busyLabel} className="w-full">
        {children}
      </Button>
    </Form>
  );
}

export function TextLink({ to, children }: { to: To; children: ReactNode }) {
  return (
    <Link to={to} className="font-medium text-accent-ink underline decoration-accent-line underline-offset-4 hover:decoration-current">
      {children}
    </Link>
  );
}
