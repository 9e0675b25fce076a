import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { uploadPicture } from "#app/drafts/upload-picture.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FieldError } from "#app/ui/field.tsx";
import { CircleAlert, CircleCheck, FileImage, ImagePlus, Trash2 } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import {
  featuredHeight,
  featuredQuality,
  featuredWidth,
  optimizedName,
  pictureExtensions,
  pictureProblem,
  pictureTexts,
  pictureUrl,
} from "#domain/files/picture.ts";

type Props = {
  /** File id. */
  fileId: string | null;
  /** File id of the published picture, which can be replaced but not removed. */
  publishedFileId: string | null;
  error: string | undefined;
  /** `fileId` is null until the picture is uploaded. */
  onChange: (picture: { chosen: boolean; fileId: string | null }) => void;
};

/**
 * A chosen picture is cropped and uploaded at once, so that it isn't lost with the page. If the upload fails, the input sends it with the
 * form.
 */
export function FeaturedImageField({ fileId, publishedFileId, error, onChange }: Props) {
  const hydrated = useHydrated();
  const errorId = useId();
  const { input, chosen, progress, busy, refusal, choose, remove } = useChosenPicture(fileId, publishedFileId, onChange);
  const shownError = refusal ?? error;
  return (
    <section className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3 text-sm font-semibold">Featured image</h2>
      {chosen && <Preview chosen={chosen} progress={progress} onRemove={remove} onReplace={() => input.current?.click()} />}
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
      {shownError && (refusal || !chosen) && <FieldError id={errorId}>{shownError}</FieldError>}
    </section>
  );
}

/** `own`: chosen on this page. */
type ChosenPicture = { url: string; name: string; cropped: boolean; own: boolean; removable: boolean };

type Field = {
  input: RefObject<HTMLInputElement | null>;
  chosen: ChosenPicture | undefined;
  /** Progress of the upload, 0 to 1. */
  progress: number | undefined;
  busy: boolean;
  refusal: string | undefined;
  choose(file: File | undefined): Promise<void>;
  remove(): void;
};

function useChosenPicture(fileId: string | null, publishedFileId: string | null, onChange: Props["onChange"]): Field {
  const input = useRef<HTMLInputElement>(null);
  const pictureOf = (id: string | null) => (id ? storedPicture(id, id !== publishedFileId) : undefined);
  const [chosen, setChosen] = useState(() => pictureOf(fileId));
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<number>();
  const latest = useRef(0);
  useEffect(() => () => void (chosen?.url.startsWith("blob:") && URL.revokeObjectURL(chosen.url)), [chosen]);

  /** For a form that is sent before the upload ends. */
  function hold(file: File | undefined): number {
    const files = new DataTransfer();
    if (file) files.items.add(file);
    if (input.current) input.current.files = files.files;
    onChange({ chosen: Boolean(file), fileId: null });
    return ++latest.current;
  }

  function put(file: File | undefined, cropped = false) {
    const turn = hold(file);
    setChosen(file ? { url: URL.createObjectURL(file), name: file.name, cropped, own: true, removable: true } : pictureOf(publishedFileId));
    setBusy(false);
    if (file) void send(file, turn);
  }

  async function send(file: File, turn: number) {
    setProgress(0);
    const result = await uploadPicture("featured", file, { progress: (sent) => turn === latest.current && setProgress(sent) });
    // The file goes with a form that is being sent. If that is refused, the draft gets it.
    while (input.current?.form?.inert) await new Promise((resolve) => setTimeout(resolve, 300));
    if (turn !== latest.current) return;
    setProgress(undefined);
    if (result.error === null) return onChange({ chosen: true, fileId: result.id });
    if (!result.isInvalid) return showToast({ tone: "error", text: pictureTexts.notUploaded }); // It goes with the form.
    put(undefined);
    setRefusal(result.error);
  }

  async function choose(file: File | undefined) {
    if (!file) return;
    const refused = pictureProblem(file);
    setRefusal(refused);
    if (refused) return put(undefined);
    const turn = hold(file);
    setBusy(true);
    const cropped = await cropPicture(file).catch(() => undefined);
    // Another picture was chosen meanwhile, or it was removed.
    if (turn !== latest.current) return;
    put(cropped ?? file, cropped !== undefined);
    if (cropped) showToast({ tone: "success", text: pictureTexts.processed });
    else showToast({ tone: "error", text: pictureTexts.failed });
  }

  function remove() {
    // The input is hidden until then, and can't get the focus.
    flushSync(() => put(undefined));
    setRefusal(undefined);
    if (publishedFileId) return;
    showToast({ tone: "success", text: pictureTexts.removed });
    input.current?.focus();
  }

  return { input, chosen, progress, busy, refusal, choose, remove };
}

function storedPicture(fileId: string, removable: boolean): ChosenPicture {
  return { url: pictureUrl(fileId, 640), name: "", cropped: true, own: false, removable };
}

/** Crops around the center to 1200x630, as JPEG (specification §5, Image processing). @throws if the browser can't decode the file. */
async function cropPicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const canvas = document.createElement("canvas");
  canvas.width = featuredWidth;
  canvas.height = featuredHeight;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#fff"; // JPEG has no transparency.
  context.fillRect(0, 0, featuredWidth, featuredHeight);
  const scale = Math.max(featuredWidth / bitmap.width, featuredHeight / bitmap.height);
  const [width, height] = [featuredWidth / scale, featuredHeight / scale];
  context.drawImage(bitmap, (bitmap.width - width) / 2, (bitmap.height - height) / 2, width, height, 0, 0, featuredWidth, featuredHeight);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", featuredQuality));
  if (!blob) throw new Error("the picture could not be encoded");
  return new File([blob], optimizedName(file.name), { type: "image/jpeg" });
}

type PreviewProps = { chosen: ChosenPicture; progress: number | undefined; onRemove: () => void; onReplace: () => void };

function Preview({ chosen, progress, onRemove, onReplace }: PreviewProps) {
  const label = chosen.removable ? "Remove image" : "Replace image";
  const Icon = chosen.removable ? Trash2 : ImagePlus;
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
          aria-label={label}
          title={label}
          onClick={chosen.removable ? onRemove : onReplace}
          className={classNames(
            "absolute top-2 right-2 inline-flex size-9 items-center justify-center rounded-md border border-line-strong bg-raised shadow-sm max-lg:size-11",
            chosen.removable && "text-danger",
          )}
        >
          <Icon aria-hidden className="size-4" />
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
      {progress !== undefined && <progress aria-label="Uploading picture" value={progress} max={1} className="mt-1 h-1 w-full" />}
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

/** The invisible input covers the whole area. It is hidden, not removed, because it holds the file. */
function DropArea({ hidden, busy, refused, onDrop, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    onDrop(event.dataTransfer.files[0]);
  }
  const borderClass = over ? "border-accent bg-accent-soft" : refused ? "border-danger bg-danger-soft" : "border-control bg-raised";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the input inside is accessible.
    <div
      hidden={hidden}
      onDragOver={(event) => event.preventDefault()}
      onDragEnter={() => setOver(true)}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
      className={classNames(
        "relative flex-col items-center rounded-md border-[1.5px] border-dashed px-4 py-7 text-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
        borderClass,
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
