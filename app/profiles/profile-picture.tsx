import { type SyntheticEvent, useCallback, useState } from "react";
import { Avatar } from "#app/ui/avatar.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

type ProfilePictureProps = { profile: { id: string; name: string; profileImage: string | null }; size: number };

/** Shows a spinner until the picture has loaded, and initials if it can’t load. */
export function ProfilePicture({ profile: { id, name, profileImage }, size }: ProfilePictureProps) {
  const [settled, setSettled] = useState<string | null>(null);
  const settle = useCallback(() => setSettled(profileImage), [profileImage]);
  const checkLoaded = useCallback(
    (place: HTMLElement | null) => {
      if (place?.querySelector("img")?.complete) settle();
    },
    [settle],
  );
  // The spinner’s image fires load events too.
  const settleIfPicture = ({ target }: SyntheticEvent) => target instanceof HTMLImageElement && settle();
  return (
    <span
      ref={checkLoaded}
      onLoadCapture={settleIfPicture}
      onErrorCapture={settleIfPicture}
      className="relative inline-flex shrink-0 self-start rounded-full bg-sunken"
      style={{ width: size, height: size }}
    >
      {profileImage && settled !== profileImage && (
        <span aria-hidden className="absolute inset-0 flex items-center justify-center text-ink-3">
          <Spinner />
        </span>
      )}
      <Avatar {...{ id, name, profileImage, size }} className="relative [&:is(img)]:bg-transparent" />
    </span>
  );
}
