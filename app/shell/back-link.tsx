import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icons.tsx";
import { useGoBack } from "./go-back.ts";

/** One step back in the browser's history, or home without a history. */
export function BackLink() {
  return (
    <ButtonLink to="/" variant="ghost" icon={ArrowLeft} className="-ml-3 px-3!" onClick={useGoBack({ mayLeaveSite: true })}>
      Back
    </ButtonLink>
  );
}
