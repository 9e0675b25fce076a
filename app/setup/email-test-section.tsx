import type { MouseEvent } from "react";
import { useFetcher } from "react-router";
import { SettingsSection } from "#app/accounts/settings-section.tsx";
import { Button } from "#app/ui/button.tsx";
import { Send } from "#app/ui/icons.tsx";
import { type EmailTest, emailTestTexts } from "#domain/mail/email-test.ts";

type EmailTestSectionProps = { mailDelivers: boolean; tested: EmailTest | undefined };

/** Comes after the form’s submit button, because Enter in a field presses the first one. */
export function EmailTestSection({ mailDelivers, tested }: EmailTestSectionProps) {
  const fetcher = useFetcher<{ emailTest?: EmailTest }>();
  const send = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    const form = event.currentTarget.form;
    if (form) void fetcher.submit({ do: "test", email: String(new FormData(form).get("email")) }, { method: "post" });
  };
  return (
    <SettingsSection id="email-test" title="Test email" text={mailDelivers ? "Check that the site can send emails." : noServer}>
      <Button type="submit" name="do" value="test" icon={Send} busy={fetcher.state !== "idle"} busyLabel="Sending..." onClick={send}>
        Send test email
      </Button>
      <p className="mt-2 text-sm text-ink-2">It goes to the email above.</p>
      <div aria-live="polite">
        <Outcome test={fetcher.data?.emailTest ?? tested} />
      </div>
    </SettingsSection>
  );
}

const noServer = "Without a mail server (SMTP_URL), emails are saved as files in the data folder.";

function Outcome({ test }: { test: EmailTest | undefined }) {
  if (!test) return null;
  const { result, problem } = test;
  const textColor = result === "failed" ? "text-danger" : result === "waiting" ? "text-warning" : "text-success";
  return <p className={`mt-3 text-base ${textColor}`}>{result === "failed" ? problem : emailTestTexts[result]}</p>;
}
