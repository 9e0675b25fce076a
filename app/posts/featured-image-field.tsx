import { CircleAlert, CircleCheck, FileImage, ImagePlus, Trash2 } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { sendPictureFile } from "#app/drafts/send-picture.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import {
  featuredHeight,
  featuredWidth,
  pictureExtensions,
  pictureMaxBytes,
  pictureTexts,
  pictureTypes,
  pictureUrl,
} from "#domain/files/picture.ts";
import { cropPicture } from "./crop-picture.ts";

/** `own`: chosen on this page, rather than what the story or draft has already. */
type Chosen = { url: string; name: string; cropped: boolean; own: boolean };
type Props = {
  /** File id of the picture that the draft or story has. */
  kept: string | null;
  error: string | undefined;
  /** A picture is chosen; `fileId` once the server has it, null until then and when there is none. */
  onChange: (picture: { chosen: boolean; fileId: string | null }) => void;
};

/**
 * The picture of a story: checked and cut here, checked again by the server, and sent at once, so that it is not lost with
 * the page. The input itself carries what was cut, for when that did not work.
 */
export function FeaturedImageField({ kept, error, onChange }: Props) {
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | undefined>(kept ? keptPicture(kept) : undefined);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [part, setPart] = useState<number>();
  const latest = useRef(0);
  const errorId = useId();
  const shownError = refusal ?? error;

  useEffect(() => () => void (chosen?.url.startsWith("blob:") && URL.revokeObjectURL(chosen.url)), [chosen]);

  function put(file: File | undefined, cropped = false) {
    const files = new DataTransfer();
    if (file) files.items.add(file);
    if (input.current) input.current.files = files.files;
    setChosen(file && { url: URL.createObjectURL(file), name: file.name, cropped, own: true });
    onChange({ chosen: Boolean(file), fileId: null });
    latest.current++;
    setBusy(false);
    if (file) void send(file, latest.current);
  }

  async function send(file: File, turn: number) {
    setPart(0);
    const answer = await sendPictureFile("featured", file, (sent) => turn === latest.current && setPart(sent));
    if (turn !== latest.current) return;
    setPart(undefined);
    if (answer.error === null) return onChange({ chosen: true, fileId: answer.id });
    if (!Object.values<string>(pictureTexts).includes(answer.error)) return; // It goes with the story.
    put(undefined);
    setRefusal(answer.error);
  }

  async function choose(file: File | undefined) {
    if (!file) return;
    const refused = refusalOf(file);
    setRefusal(refused);
    if (refused) return put(undefined);
    const turn = ++latest.current;
    setBusy(true);
    const cropped = await cropPicture(file).catch(() => undefined);
    // Another one was chosen meanwhile, or none.
    if (turn !== latest.current) return;
    put(cropped ?? file, cropped !== undefined);
    if (cropped) showToast({ tone: "success", text: pictureTexts.processed });
    else showToast({ tone: "error", text: pictureTexts.failed });
  }

  function remove() {
    put(undefined);
    setRefusal(undefined);
    showToast({ tone: "success", text: pictureTexts.removed });
    input.current?.focus();
  }

  return (
    <section className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3 text-sm font-semibold">Featured image</h2>
      {chosen && <ChosenPicture chosen={chosen} part={part} onRemove={remove} />}
      <DropArea hidden={Boolean(chosen)} busy={busy} refused={Boolean(shownError)} onDrop={choose}>
        <input
          ref={input}
          type="file"
          name="featuredImage"
          accept={pictureExtensions}
          aria-label="Featured image"
          aria-describedby={shownError ? errorId : undefined}
          onChange={(event) => void choose(event.target.files?.[0])}
          className={hydrated ? "absolute inset-0 cursor-pointer opacity-0" : "mt-3 w-full text-sm"}
        />
      </DropArea>
      {shownError && !chosen && (
        <p id={errorId} role="alert" className="mt-1.5 flex items-center gap-1.5 text-sm text-danger">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          {shownError}
        </p>
      )}
    </section>
  );
}

function refusalOf(file: File): string | undefined {
  if (!pictureTypes.includes(file.type)) return pictureTexts.wrongType;
  return file.size > pictureMaxBytes ? pictureTexts.tooLarge : undefined;
}

function keptPicture(fileId: string): Chosen {
  return { url: pictureUrl(fileId, 640), name: "", cropped: true, own: false };
}

function ChosenPicture({ chosen, part, onRemove }: { chosen: Chosen; part: number | undefined; onRemove: () => void }) {
  return (
    <>
      <div className="relative aspect-[1200/630] overflow-hidden rounded-md bg-sunken">
        {chosen.cropped ? (
          <img src={chosen.url} alt="" className="size-full object-cover" />
        ) : (
          <FileImage aria-hidden className="absolute inset-0 m-auto size-8 text-ink-3" />
        )}
        <button
          type="button"
          aria-label="Remove image"
          title="Remove image"
          onClick={onRemove}
          className="absolute top-2 right-2 inline-flex size-9 items-center justify-center rounded-md border border-line-strong bg-raised text-danger shadow-sm max-lg:size-11"
        >
          <Trash2 aria-hidden className="size-4" />
        </button>
      </div>
      <div className="mt-3 flex items-center gap-2 text-sm text-ink-2">
        <span className="flex-1 truncate">{chosen.name || "Current image"}</span>
        {chosen.cropped && (
          <span className="num whitespace-nowrap text-ink-3">
            {featuredWidth} × {featuredHeight}
          </span>
        )}
      </div>
      {part !== undefined && <progress aria-label="Uploading picture" value={part} max={1} className="mt-1 h-1 w-full accent-accent" />}
      {chosen.own && (
        <p className={classNames("mt-1 flex items-center gap-1.5 text-sm", chosen.cropped ? "text-success" : "text-warning")}>
          {chosen.cropped ? (
            <CircleCheck aria-hidden className="size-4 shrink-0" />
          ) : (
            <CircleAlert aria-hidden className="size-4 shrink-0" />
          )}
          {chosen.cropped ? pictureTexts.processed : pictureTexts.usingOriginal}
        </p>
      )}
    </>
  );
}

type DropAreaProps = {
  hidden: boolean;
  busy: boolean;
  refused: boolean;
  onDrop: (file: File | undefined) => void;
  children: React.ReactNode;
};

/** The input lies invisibly over the whole area; hidden rather than removed, because it holds the file. */
function DropArea({ hidden, busy, refused, onDrop, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onDrop(event.dataTransfer.files[0]);
  }
  const look = over ? "border-accent bg-accent-soft" : refused ? "border-danger bg-danger-soft" : "border-control bg-raised";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra way; the input inside is the accessible one.
    <div
      hidden={hidden}
      onDragOver={(event) => event.preventDefault()}
      onDragEnter={() => setOver(true)}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
      className={classNames(
        "relative flex-col items-center rounded-md border-[1.5px] border-dashed px-4 py-7 text-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
        look,
        !hidden && "flex",
      )}
    >
      {busy ? <Spinner /> : <ImagePlus aria-hidden className="size-6 text-ink-3" />}
      <p className="mt-3 text-base">
        {over ? (
          <span className="font-medium text-accent-ink">Drop it here</span>
        ) : (
          <>
            <span className="font-medium text-accent-ink">Choose an image</span> or drag it here
          </>
        )}
      </p>
      <p className="mt-1 text-sm text-ink-2">PNG, JPG, GIF or WebP, under 10MB. Cropped to 1200 × 630.</p>
      {children}
    </div>
  );
}
