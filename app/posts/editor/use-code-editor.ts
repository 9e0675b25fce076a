import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { readNonce } from "#app/nonce.tsx";
import type { CodeEditor } from "./code-editor.ts";
import type { Command } from "./markdown-toolbar.tsx";
import { usePictures } from "./text-pictures.ts";

type Parts = {
  sheet: React.RefObject<HTMLDivElement | null>;
  area: React.RefObject<HTMLTextAreaElement | null>;
  text: React.RefObject<() => string>;
  change: (read: () => string) => void;
  command: (command: Command) => void;
};

/** Takes the text area's place as soon as it is loaded, with its text, its cursor and the focus. */
export function useCodeEditor({ sheet, area, text, change, command }: Parts) {
  const [editor, setEditor] = useState<CodeEditor>();
  const [marks, setMarks] = useState<readonly string[]>([]);
  const { pictures, takePictures, choose } = usePictures(editor);
  const onChange = useEffectEvent(change);
  const onData = useEffectEvent(takePictures);
  const onCommand = useEffectEvent(command);
  useEffect(() => {
    let opened: CodeEditor | undefined;
    let left = false;
    // Typed before scripts ran.
    const typed = area.current?.value;
    if (typed !== undefined && typed !== text.current()) onChange(() => typed);
    const open = async () => {
      const { openCodeEditor } = await import("./code-editor.ts");
      if (left || !sheet.current) return;
      const focused = document.activeElement === area.current;
      opened = openCodeEditor({
        parent: sheet.current,
        text: text.current(),
        cursor: area.current?.selectionStart ?? 0,
        labelId: "content-label",
        errorId: "content-error",
        nonce: readNonce(),
        onChange: (changed) => onChange(changed),
        onData: (data) => onData(data),
        onCommand: (asked) => onCommand(asked),
        onMarks: setMarks,
      });
      // At once: what is typed in between would be in neither.
      flushSync(() => setEditor(opened));
      if (focused) opened.focus();
    };
    // Without it the text area goes on: a connection that is lost now must not take the page away.
    open().catch(() => {});
    return () => {
      left = true;
      opened?.destroy();
      setEditor(undefined);
    };
  }, [sheet, area, text]);
  return { editor, marks, pictures, choose };
}
