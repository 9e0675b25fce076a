import { useEffect } from "react";
import { useFetcher } from "react-router";
import { showToast } from "#app/shell/toasts.tsx";
import { Button } from "#app/ui/button.tsx";
import { UserCheck, UserPlus } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { FollowResponse } from "./follow-action.ts";

type FollowButtonProps = { userId: string; name: string; following: boolean; className?: string | undefined };

export function FollowButton({ userId, name, following, className }: FollowButtonProps) {
  const fetcher = useFetcher<FollowResponse>({ key: `follow:${userId}` });
  const hydrated = useHydrated();
  const pending = fetcher.formData?.get("following");
  const on = pending ? pending === "yes" : following;
  const { data } = fetcher;
  useEffect(() => {
    if (data?.failed) showToast({ tone: "error", text: data.failed });
  }, [data]);
  return (
    <fetcher.Form method="post" action={`/profile/${userId}/follow`} preventScrollReset className={className}>
      <input type="hidden" name="following" value={on ? "no" : "yes"} />
      {hydrated && <input type="hidden" name="scripted" value="yes" />}
      <Button
        type="submit"
        icon={on ? UserCheck : UserPlus}
        aria-label={on ? `Following ${name}` : `Follow ${name}`}
        className={on ? "w-full [&_svg]:text-accent" : "w-full"}
      >
        {on ? "Following" : "Follow"}
      </Button>
    </fetcher.Form>
  );
}
