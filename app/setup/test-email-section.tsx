import type { MouseEvent } from "react";
import { useFetcher } from "react-router";
import { SettingsSection } from "#app/accounts/settings-section.tsx";
import { Button } from "#app/ui/button.tsx";
import { Send } from "#app/ui/icons.tsx";
import { type TestEmailResult, testEmailTexts } from "#domain/mail/test-email.ts";

type TestEmailSectionProps = { mailDelivers: boolean; tested: TestEmailResult | undefined };

/** Comes after the form’s submit button, because Enter in a field presses the first one. */
export function TestEmailSection({ mailDelivers, tested }: TestEmailSectionProps) {
  const fetcher = useFetcher<{ testEmail?: TestEmailResult }>();
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
        <Outcome test={fetcher.data?.testEmail ?? tested} />
      </div>
    </SettingsSection>
  );
}

const noServer = "Without a mail server (SMTP_URL), emails are saved as files in the data folder.";

function Outcome({ test }: { test: TestEmailResult | undefined }) {
  if (!test) return null;
  const { result, problem } = test;
  const textColor = result === "failed" ? "text-danger" : result === "waiting" ? "text-warning" : "text-success";
  return <p className={`mt-3 text-base ${textColor}`}>{result === "failed" ? problem : testEmailTexts[result]}</p>;
}
