import { ButtonLink } from "#app/ui/button.tsx";
import { PlainPage } from "#app/ui/plain-page.tsx";

/** For a link from an email with an unknown token. */
export function BrokenLink() {
  return (
    <PlainPage
      title="This link doesn’t work"
      lead="It may be incomplete, and nothing has changed. Open it from the email again, or, if you have an account, change your notification settings."
    >
      <SettingsLink />
    </PlainPage>
  );
}

export function SettingsLink() {
  return (
    <ButtonLink to="/notifications/settings" className="mt-8">
      Notification settings
    </ButtonLink>
  );
}
