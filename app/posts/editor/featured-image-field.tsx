import { type DragEvent, useId, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { CircleAlert, CircleCheck, FileImage, ImagePlus, Trash2 } from "#app/ui/icons.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { featuredHeight, featuredWidth, pictureExtensions, pictureTexts } from "#domain/files/picture.ts";
import { type ChosenPicture, useChosenPicture } from "./use-chosen-picture.ts";

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
  const errorId = useId();
  const { input, chosen, part, busy, refusal, choose, remove } = useChosenPicture(kept, onChange);
  const shownError = refusal ?? error;
  return (
    <section className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3 text-sm font-semibold">Featured image</h2>
      {chosen && <Preview chosen={chosen} part={part} onRemove={remove} />}
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

function Preview({ chosen, part, onRemove }: { chosen: ChosenPicture; part: number | undefined; onRemove: () => void }) {
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
  const borderClass = over ? "border-accent bg-accent-soft" : refused ? "border-danger bg-danger-soft" : "border-control bg-raised";
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
