import { Form } from "react-router";
import { useRoot } from "#app/shell/root-data.ts";
import { Button } from "#app/ui/button.tsx";

/** Why nothing that signs in can be added yet, with the link once more. `what` begins the sentence: "Passkeys". */
export function ConfirmFirst({ what, delivers }: { what: string; delivers: boolean }) {
  const { viewer } = useRoot();
  return (
    <div className="rounded-lg border border-warning-line bg-warning-soft px-5 py-4 text-warning">
      <p className="text-base">
        {what} can be set up once your email address is confirmed: open the link that we sent to{" "}
        <span className="font-medium wrap-anywhere">{viewer?.email}</span>.
        {!delivers && " This site has no mail server: its operator finds the email in the data folder, or confirms the address by hand."}
      </p>
      <Form method="post" action="/verify-email/again" className="mt-3">
        <Button type="submit" className="max-lg:h-11">
          Send Again
        </Button>
      </Form>
    </div>
  );
}
