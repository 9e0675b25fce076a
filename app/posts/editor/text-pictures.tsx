import { CircleAlert, X } from "lucide-react";
import { useRef, useState } from "react";
import { sendPictureFile } from "#app/drafts/send-picture.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { pictureMaxBytes, pictureTexts, pictureTypes } from "#domain/files/picture.ts";
import type { CodeEditor } from "./code-editor.ts";

export type SentPicture = { key: number; name: string; part: number; error: string | null; dismiss: () => void };

export function usePictures(editor: CodeEditor | undefined) {
  const [pictures, setPictures] = useState<SentPicture[]>([]);
  const count = useRef(0);

  async function send(file: File, into: CodeEditor) {
    const key = ++count.current;
    const dismiss = () => setPictures((all) => all.filter((each) => each.key !== key));
    const show = (part: Partial<SentPicture>) => setPictures((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)));
    setPictures((all) => [...all, { key, name: file.name, part: 0, error: null, dismiss }]);
    const refused = refusalOf(file);
    if (refused) return show({ error: refused });
    const place = `![Uploading ${plain(file.name)} (${key})…]()`;
    into.insert(place);
    const answer = await sendPictureFile("text", file, (part) => show({ part }));
    if (!answer.id) {
      into.replace(place, "");
      return show({ error: answer.error });
    }
    const alt = plain(file.name.replace(/\.[^.]*$/, "").replace(/[-_]+/g, " ")) || "picture";
    // What it shows is the writer's to say: the words stand selected.
    into.replace(place, `![${alt}](${answer.address})`, { from: 2, to: 2 + alt.length });
    dismiss();
  }

  function take(data: DataTransfer): boolean {
    if (!editor) return false;
    const files = [...data.files].filter(({ type }) => type.startsWith("image/"));
    if (files.length > 0) {
      for (const file of files) void send(file, editor);
      return true;
    }
    const html = data.getData("text/html");
    const isCode = data.types.includes("vscode-editor-data");
    if (!html || isCode) return false;
    void pasteRich(html, data.getData("text/plain"), editor);
    return true;
  }

  return { pictures, take };
}

async function pasteRich(html: string, text: string, editor: CodeEditor): Promise<void> {
  try {
    const { pastedMarkdown } = await import("#domain/posts/html-to-markdown.ts");
    editor.insert((await pastedMarkdown(html)) ?? text);
  } catch {
    editor.insert(text);
    showToast({ tone: "info", text: "Pasted as plain text" });
  }
}

function refusalOf({ type, size }: File): string | undefined {
  if (!pictureTypes.includes(type)) return pictureTexts.wrongType;
  return size > pictureMaxBytes ? pictureTexts.tooLarge : undefined;
}

function plain(name: string): string {
  return name
    .replace(/[[\]()\\`*_<>]/g, " ")
    .trim()
    .slice(0, 100);
}

export function SentPictures({ pictures }: { pictures: SentPicture[] }) {
  if (pictures.length === 0) return null;
  return (
    <ul className="border-t border-line text-sm" aria-label="Uploading pictures">
      {pictures.map(({ key, name, part, error, dismiss }) => (
        <li key={key} className="flex min-h-11 items-center gap-3 px-4">
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {error ? (
            <>
              <span role="alert" className="flex items-center gap-1.5 text-danger">
                <CircleAlert aria-hidden className="size-4 shrink-0" />
                {error}
              </span>
              <IconButton size="sm" label="Dismiss" icon={X} onClick={dismiss} />
            </>
          ) : (
            <>
              <progress aria-label={`Sending ${name}`} value={part} max={1} className="h-1.5 w-32 accent-accent" />
              <span className="num w-10 text-right text-ink-2">{Math.round(part * 100)}%</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
