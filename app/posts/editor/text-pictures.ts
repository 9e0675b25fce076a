import { useRef, useState } from "react";
import { sendPictureFile } from "#app/drafts/send-picture.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { pictureMaxBytes, pictureTexts, pictureTypes } from "#domain/files/picture.ts";
import type { CodeEditor } from "./code-editor.ts";
import { paragraph } from "./markdown-edits.ts";
import { pastedLink } from "./markdown-links.ts";

/** A picture on its way into the text: being sent, refused, or there and to be described. */
export type SentPicture = {
  key: number;
  name: string;
  part: number;
  error: string | null;
  /** Its address, once it is there. */
  shown: string | null;
  describe: (alt: string) => void;
  retry: () => void;
  /** Takes the row away, and stops what is being sent. */
  dismiss: () => void;
};

export function usePictures(editor: CodeEditor | undefined) {
  const [pictures, setPictures] = useState<SentPicture[]>([]);
  const count = useRef(0);

  async function send(file: File, into: CodeEditor) {
    const key = ++count.current;
    const abort = new AbortController();
    const remove = () => setPictures((all) => all.filter((each) => each.key !== key));
    const show = (part: Partial<SentPicture>) => setPictures((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)));
    const begun: SentPicture = {
      ...{ key, name: file.name, part: 0, error: null, shown: null, describe: remove },
      retry: () => {
        remove();
        void send(file, into);
      },
      dismiss: () => {
        abort.abort();
        remove();
      },
    };
    setPictures((all) => [...all, begun]);
    const refused = refusalOf(file);
    if (refused) return show({ error: refused });
    const place = `![Uploading ${plain(file.name)} (${key})…]()`;
    into.apply((selection) => paragraph(selection, place));
    const answer = await sendPictureFile("text", file, { progress: (part) => show({ part }), signal: abort.signal });
    if (!answer.id) {
      into.replace(`${place}\n\n`, "");
      into.replace(place, "");
      return show({ error: answer.error });
    }
    const { address } = answer;
    into.replace(place, `![](${address})`);
    const describe = (words: string) => {
      into.replace(new RegExp(`!\\[[^\\]\\n]*\\]\\(${address}\\)`), `![${plain(words)}](${address})`);
      remove();
      into.focus();
    };
    show({ shown: address, describe });
  }

  function choose(files: Iterable<File>) {
    if (editor) for (const file of files) void send(file, editor);
  }

  function takePictures(data: DataTransfer): boolean {
    if (!editor) return false;
    const files = [...data.files].filter(({ type }) => type.startsWith("image/"));
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
    .replace(/[[\]()\\`*_<>\n]/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, 200);
}
