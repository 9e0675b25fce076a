import { EmailLinkPage } from "#app/ui/email-link-page.tsx";

export const settingsLink = { to: "/notifications/settings", label: "Notification settings" };

/** For a link from an email with an unknown token. */
export function BrokenLink() {
  return (
    <EmailLinkPage
      title="This link doesn’t work"
      lead="It may be incomplete, and nothing has changed. Open it from the email again, or, if you have an account, change your notification settings."
      next={settingsLink}
    />
  );
}
