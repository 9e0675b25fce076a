import { useNavigate } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icons.tsx";

/** One step back in the browser's history, or home without a history. */
export function BackLink() {
  const navigate = useNavigate();
  return (
    <ButtonLink
      to="/"
      variant="ghost"
      icon={ArrowLeft}
      className="-ml-3 px-3!"
      onClick={(event) => {
        if (window.history.length < 2) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      Back
    </ButtonLink>
  );
}
