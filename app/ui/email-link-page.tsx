import { Form } from "react-router";
import { Button, ButtonLink } from "./button.tsx";
import { PlainPage } from "./plain-page.tsx";

/** `button` sends a form to the page’s action, with `intent`. */
type EmailLinkPageProps = { title: string; lead: string; button?: string; intent?: string; next?: { to: string; label: string } };

/** What a link of an email opens: a notice and the way on, or a question. Opening changes nothing: mail scanners do it too. */
export function EmailLinkPage({ title, lead, button, intent, next }: EmailLinkPageProps) {
  return (
    <PlainPage title={title} lead={lead}>
      {button && (
        <Form method="post" className="mt-8">
          <Button type="submit" name="intent" value={intent} variant="primary">
            {button}
          </Button>
        </Form>
      )}
      {next && (
        <ButtonLink to={next.to} className="mt-8">
          {next.label}
        </ButtonLink>
      )}
    </PlainPage>
  );
}
