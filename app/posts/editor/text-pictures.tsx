import { useId, useRef, useState } from "react";
import { uploadPicture } from "#app/drafts/upload-picture.ts";
import { pastedFiles } from "#app/forms/pasted-files.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { CircleAlert, RotateCcw, X } from "#app/ui/icons.tsx";
import { pictureProblem } from "#domain/files/picture.ts";
import type { CodeEditor } from "./code-editor.ts";
import { paragraph } from "./markdown-edits.ts";
import { pastedLink } from "./markdown-links.ts";
import { beginUpload } from "./placeholders.ts";

/** A picture for the text: uploading, refused, or uploaded and waiting for a description. */
export type TextPicture = {
  key: number;
  name: string;
  progress: number;
  error: string | null;
  isInvalid?: boolean;
  /** Set once it is in the text. */
  url: string | null;
  describe: (alt: string) => void;
  retry: () => void;
  /** Removes the row. Aborts an upload; after it, leads back to the text. */
  dismiss: () => void;
};

export function usePictures(editor: CodeEditor | undefined) {
  const [pictures, setPictures] = useState<TextPicture[]>([]);
  const count = useRef(0);

  async function send(file: File, into: CodeEditor) {
    const key = ++count.current;
    const abort = new AbortController();
    const remove = () => setPictures((all) => all.filter((each) => each.key !== key));
    const show = (part: Partial<TextPicture>) => setPictures((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)));
    const row: TextPicture = {
      ...{ key, name: file.name, progress: 0, error: null, url: null, describe: () => {} },
      retry: () => {
        remove();
        void send(file, into);
      },
      dismiss: () => {
        abort.abort();
        remove();
      },
    };
    setPictures((all) => [...all, row]);
    const refused = pictureProblem(file);
    if (refused) return show({ error: refused, isInvalid: true });
    const { placeholder, end } = beginUpload(plain(file.name), key);
    into.apply((selection) => paragraph(selection, placeholder));
    const result = await uploadPicture("text", file, { progress: (progress) => show({ progress }), signal: abort.signal });
    end();
    if (result.error !== null) {
      into.replace(`${placeholder}\n\n`, "");
      into.replace(placeholder, "");
      return show({ error: result.error, isInvalid: result.isInvalid });
    }
    const { url } = result;
    into.replace(placeholder, `![](${url})`);
    const describe = (words: string) => into.replace(new RegExp(`!\\[[^\\]\\n]*\\]\\(${url}\\)`), `![${plain(words)}](${url})`);
    const dismiss = () => {
      remove();
      into.focus();
    };
    show({ url, describe, dismiss });
  }

  function choose(files: Iterable<File>) {
    if (editor) for (const file of files) void send(file, editor);
  }

  function takePictures(data: DataTransfer): boolean {
    if (!editor) return false;
    const files = pastedFiles(data).filter(({ type }) => type.startsWith("image/"));
    if (files.length > 0) {
      choose(files);
      return true;
    }
    const text = data.getData("text/plain");
    const linked = pastedLink(editor.selection(), text);
    if (linked) {
      editor.apply(() => linked);
      return true;
    }
    const html = data.getData("text/html");
    const isCode = data.types.includes("vscode-editor-data");
    if (!html || isCode) return false;
    void pasteRich(html, text, editor);
    return true;
  }

  return { pictures, takePictures, choose };
}

async function pasteRich(html: string, text: string, editor: CodeEditor): Promise<void> {
  try {
    const { pastedMarkdown } = await import("#domain/posts/html-to-markdown.ts");
    editor.insert((await pastedMarkdown(html, text)) ?? text);
  } catch {
    editor.insert(text);
    showToast({ tone: "info", text: "Pasted as plain text" });
  }
}

function plain(name: string): string {
  return name
    .replace(/[[\]()\\`*_<>\n]/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, 200);
}

/** Below the toolbar, where no keyboard covers it. */
export function TextPictures({ pictures }: { pictures: TextPicture[] }) {
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

function Row({ picture }: { picture: TextPicture }) {
  const { name, progress, error, url } = picture;
  if (url) return <Description picture={picture} url={url} />;
  if (error !== null) return <Failure picture={picture} error={error} />;
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <progress aria-label={`Uploading ${name}`} value={progress} max={1} className="h-1.5 w-32 max-sm:w-20" />
      <span className="num w-10 text-right text-ink-2">{Math.round(progress * 100)}%</span>
      <Button size="sm" variant="ghost" aria-label={`Cancel uploading ${name}`} onClick={picture.dismiss}>
        Cancel
      </Button>
    </>
  );
}

function Failure({ picture, error }: { picture: TextPicture; error: string }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{picture.name}</span>
      <span role="alert" className="flex items-center gap-1.5 text-danger">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {error}
      </span>
      {!picture.isInvalid && (
        <Button size="sm" icon={RotateCcw} onClick={picture.retry}>
          Try again
        </Button>
      )}
      <IconButton size="sm" label="Dismiss" icon={X} onClick={picture.dismiss} />
    </>
  );
}

function Description({ picture, url }: { picture: TextPicture; url: string }) {
  const id = useId();
  return (
    <>
      <img src={url} alt="" className="size-9 shrink-0 rounded-sm bg-sunken object-cover" />
      <label htmlFor={id} className="font-medium">
        Describe this picture
      </label>
      <input
        id={id}
        dir="auto"
        maxLength={200}
        placeholder="For readers who can’t see it"
        onChange={({ target }) => picture.describe(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          picture.dismiss();
        }}
        className="h-9 min-w-40 flex-1 rounded-md border border-control bg-raised px-3 text-base focus:border-ink focus:outline-2 focus:outline-offset-0 focus:outline-accent max-lg:h-11 max-sm:order-1 max-sm:basis-2/3"
      />
      <Button size="sm" onClick={picture.dismiss} className="max-sm:order-1">
        Done
      </Button>
      <span role="status" className="sr-only">
        The picture is in your story. Please describe it.
      </span>
    </>
  );
}
