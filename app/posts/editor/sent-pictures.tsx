import { useId, useState } from "react";
import { Button, IconButton } from "#app/ui/button.tsx";
import { CircleAlert, RotateCcw, X } from "#app/ui/icons.tsx";
import { pictureTexts } from "#domain/files/picture.ts";
import type { SentPicture } from "./text-pictures.ts";

/** Under the toolbar, where no keyboard covers it: what is being sent, and the words that each picture still wants. */
export function SentPictures({ pictures }: { pictures: SentPicture[] }) {
  if (pictures.length === 0) return null;
  return (
    <ul className="max-h-44 overflow-y-auto border-t border-line text-sm" aria-label="Pictures">
      {pictures.map((picture) => (
        <li
          key={picture.key}
          className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-1.5 last:border-b-0"
        >
          <Row picture={picture} />
        </li>
      ))}
    </ul>
  );
}

function Row({ picture }: { picture: SentPicture }) {
  const { name, part, error, shown } = picture;
  if (shown) return <Description picture={picture} address={shown} />;
  if (error !== null) return <Failure picture={picture} error={error} />;
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <progress aria-label={`Uploading ${name}`} value={part} max={1} className="h-1.5 w-32 accent-accent max-sm:w-20" />
      <span className="num w-10 text-right text-ink-2">{Math.round(part * 100)}%</span>
      <Button size="sm" variant="ghost" aria-label={`Cancel uploading ${name}`} onClick={picture.dismiss}>
        Cancel
      </Button>
    </>
  );
}

function Failure({ picture, error }: { picture: SentPicture; error: string }) {
  const mayTryAgain = !Object.values<string>(pictureTexts).includes(error);
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{picture.name}</span>
      <span role="alert" className="flex items-center gap-1.5 text-danger">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {error}
      </span>
      {mayTryAgain && (
        <Button size="sm" icon={RotateCcw} onClick={picture.retry}>
          Try again
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" icon={X} onClick={picture.dismiss} />
    </>
  );
}

function Description({ picture, address }: { picture: SentPicture; address: string }) {
  const [words, setWords] = useState("");
  const id = useId();
  return (
    <>
      <img src={address} alt="" className="size-9 shrink-0 rounded-sm bg-sunken object-cover" />
      <label htmlFor={id} className="font-medium">
        Describe this picture
      </label>
      <input
        id={id}
        dir="auto"
        maxLength={200}
        value={words}
        placeholder="For readers who can’t see it"
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          picture.describe(words);
        }}
        className="h-9 min-w-40 flex-1 rounded-md border border-control bg-raised px-3 text-base focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-accent max-lg:h-11 max-sm:order-1 max-sm:basis-2/3"
      />
      <Button size="sm" onClick={() => picture.describe(words)} className="max-sm:order-1">
        Done
      </Button>
      <span role="status" className="sr-only">
        The picture is in your story. Please describe it.
      </span>
    </>
  );
}
