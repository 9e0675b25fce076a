import { Form } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";

/** `what`: the start of the sentence, such as "Passkeys need". */
export function ConfirmEmailPrompt({ what, delivers }: { what: string; delivers: boolean }) {
  const { viewer } = useRoot();
  return (
    <div className="rounded-lg border border-warning-line bg-warning-soft px-5 py-4 text-warning">
      <p className="text-base">
        {what} a confirmed email address. Open the link we sent to <span className="font-medium wrap-anywhere">{viewer?.email}</span>.
        {!delivers &&
          " This site can’t send email yet: its operator can find the message in the data folder, or confirm your address for you."}
      </p>
      <Form method="post" action="/verify-email/again" className="mt-3">
        <Button type="submit">Send again</Button>
      </Form>
    </div>
  );
}
