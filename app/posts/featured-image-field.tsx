import { CircleAlert, CircleCheck, FileImage, ImagePlus, Trash2 } from "lucide-react";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { showToast } from "#app/shell/toasts.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { featuredHeight, featuredWidth, pictureExtensions, pictureMaxBytes, pictureTexts, pictureTypes } from "#domain/files/picture.ts";
import { cropPicture } from "./crop-picture.ts";

type Chosen = { url: string; name: string; cropped: boolean };
type Props = { error: string | undefined; onChange: (chosen: boolean) => void };

/** The picture of a story: checked and cut here, checked again by the server. The input itself carries what was cut. */
export function FeaturedImageField({ error, onChange }: Props) {
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const errorId = useId();
  const shownError = refusal ?? error;

  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.url)), [chosen]);

  function put(file: File | undefined, cropped = false) {
    const files = new DataTransfer();
    if (file) files.items.add(file);
    if (input.current) input.current.files = files.files;
    setChosen(file && { url: URL.createObjectURL(file), name: file.name, cropped });
    onChange(Boolean(file));
  }

  async function choose(file: File | undefined) {
    if (!file) return;
    const refused = refusalOf(file);
    setRefusal(refused);
    if (refused) return put(undefined);
    setBusy(true);
    try {
      put(await cropPicture(file), true);
      showToast({ tone: "success", text: pictureTexts.processed });
    } catch {
      put(file);
      showToast({ tone: "error", text: pictureTexts.failed });
    }
    setBusy(false);
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
      {chosen && <ChosenPicture chosen={chosen} onRemove={remove} />}
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

function ChosenPicture({ chosen, onRemove }: { chosen: Chosen; onRemove: () => void }) {
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
        <span className="flex-1 truncate">{chosen.name}</span>
        {chosen.cropped && (
          <span className="num whitespace-nowrap text-ink-3">
            {featuredWidth} × {featuredHeight}
          </span>
        )}
      </div>
      <p className={classNames("mt-1 flex items-center gap-1.5 text-sm", chosen.cropped ? "text-success" : "text-warning")}>
        {chosen.cropped ? <CircleCheck aria-hidden className="size-4 shrink-0" /> : <CircleAlert aria-hidden className="size-4 shrink-0" />}
        {chosen.cropped ? pictureTexts.processed : pictureTexts.usingOriginal}
      </p>
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
