import { useEffect, useId, useRef, useState } from "react";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { Camera, Upload } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { pictureTexts, pictureTypes, tooLargeText } from "#domain/files/picture.ts";

type AvatarFieldProps = {
  profile: { id: string; name: string; profileImage: string | null } | null;
  megabytes: number;
  error: string | undefined;
  onChange: (changed: boolean) => void;
};

/** Without JavaScript a plain file field and a checkbox. */
export function AvatarField({ profile, megabytes, error, onChange }: AvatarFieldProps) {
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const upload = useRef<HTMLButtonElement>(null);
  const errorId = useId();
  const { preview, removed, refusal, choose, remove, refuse } = useAvatarPreview(input, megabytes, onChange);
  const shownError = refusal ?? error;
  const currentImage = profile?.profileImage && !removed ? profile.profileImage : null;
  return (
    <div className="flex flex-col gap-5 sm:flex-row sm:items-center">
      <span className="relative size-28 shrink-0 self-start">
        {preview ? (
          <img src={preview} alt="Your new profile" onError={refuse} className="size-28 rounded-full bg-sunken object-cover" />
        ) : (
          <Avatar id={profile?.id ?? ""} name={profile?.name ?? ""} profileImage={currentImage} size={112} />
        )}
        <span
          aria-hidden
          className="pointer-events-none absolute -right-1 -bottom-1 inline-flex size-9 items-center justify-center rounded-full border border-line-strong bg-raised shadow-sm"
        >
          <Camera className="size-4" />
        </span>
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            name="profileImage"
            accept="image/*"
            aria-label="Profile picture"
            aria-describedby={shownError ? errorId : undefined}
            onChange={(event) => choose(event.target.files?.[0])}
            className={hydrated ? "sr-only" : "w-full text-sm"}
            tabIndex={hydrated ? -1 : undefined}
          />
          {hydrated && (
            <Button ref={upload} icon={Upload} onClick={() => input.current?.click()}>
              Upload photo
            </Button>
          )}
          {hydrated && (preview || currentImage) && (
            <Button
              variant="ghost"
              className="text-danger!"
              onClick={() => {
                remove();
                // This button goes with the picture, and stays if the former one is shown again.
                if (!(preview && currentImage)) upload.current?.focus();
              }}
            >
              Remove
            </Button>
          )}
          {hydrated && removed && <input type="hidden" name="removePicture" value="yes" />}
          {!hydrated && profile?.profileImage && (
            <label className="flex items-center gap-2 text-base">
              <input type="checkbox" name="removePicture" value="yes" className="size-[18px] accent-(--accent)" />
              Remove current picture
            </label>
          )}
        </div>
        <p className="num mt-3 max-w-sm text-sm text-ink-2">
          Recommended: Square image, at least 400x400px. JPG, PNG, or GIF (max {megabytes}MB).
        </p>
        {shownError && <FieldError id={errorId}>{shownError}</FieldError>}
      </div>
    </div>
  );
}

function useAvatarPreview(input: React.RefObject<HTMLInputElement | null>, megabytes: number, onChange: (changed: boolean) => void) {
  const [preview, setPreview] = useState<string>();
  const [removed, setRemoved] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  function clear() {
    if (input.current) input.current.value = "";
    setPreview(undefined);
  }
  function choose(file: File | undefined) {
    if (!file) return;
    const refused = refusalOf(file, megabytes);
    setRefusal(refused);
    if (refused) clear();
    else {
      setPreview(URL.createObjectURL(file));
      setRemoved(false);
    }
    onChange(!refused || removed);
  }
  function remove() {
    setRefusal(undefined);
    clear();
    const isUndo = preview !== undefined;
    setRemoved(!isUndo);
    onChange(!isUndo);
  }
  /** The file has a picture’s type, but the browser can’t show it. */
  function refuse() {
    setRefusal(pictureTexts.wrongType);
    clear();
    onChange(removed);
  }
  return { preview, removed, refusal, choose, remove, refuse };
}

function refusalOf(file: File, megabytes: number): string | undefined {
  if (!pictureTypes.includes(file.type) || file.size === 0) return pictureTexts.wrongType;
  const maxBytes = megabytes * 1024 * 1024;
  return file.size > maxBytes ? tooLargeText(maxBytes) : undefined;
}
