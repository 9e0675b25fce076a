import { Avatar } from "#app/ui/avatar.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

type ProfilePictureProps = { of: { id: string; name: string; profileImage: string | null }; size: number };

/** The large picture: a spinner lies beneath until it has arrived, initials stand where it can't be shown. */
export function ProfilePicture({ of: { id, name, profileImage }, size }: ProfilePictureProps) {
  return (
    <span className="relative inline-flex shrink-0 self-start rounded-full bg-sunken" style={{ width: size, height: size }}>
      {profileImage && (
        <span aria-hidden className="absolute inset-0 flex items-center justify-center text-ink-3">
          <Spinner />
        </span>
      )}
      <Avatar {...{ id, name, profileImage, size }} className="relative bg-transparent" />
    </span>
  );
}
