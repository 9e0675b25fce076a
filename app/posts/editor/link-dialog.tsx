import { type KeyboardEvent, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialogs/dialog.tsx";
import { Field, TextInput } from "#app/ui/field.tsx";
import { DialogActions } from "#app/ui/panels/dialog-parts.tsx";
import type { Selection } from "./markdown-edits.ts";
import { linkAt, linkUrl } from "./markdown-links.ts";

export type LinkChoice = { text: string; url: string } | "remove";

type Props = {
  /** Null while the dialog is closed. */
  selection: Selection | null;
  onChoose: (choice: LinkChoice | null) => void;
  onClosed: () => void;
};

export function LinkDialog({ selection, onChoose, onClosed }: Props) {
  const isLink = selection !== null && linkAt(selection) !== undefined;
  return (
    <Dialog
      title={isLink ? "Edit link" : "Add a link"}
      open={selection !== null}
      onOpenChange={(open) => open || onChoose(null)}
      onClosed={onClosed}
    >
      {selection && <LinkFields selection={selection} onChoose={onChoose} />}
    </Dialog>
  );
}

function LinkFields({ selection, onChoose }: { selection: Selection; onChoose: Props["onChoose"] }) {
  const there = linkAt(selection);
  const selected = selection.text.slice(selection.from, selection.to);
  const isUrl = /^https?:\/\/\S+$/i.test(selected.trim());
  const [text, setText] = useState(there?.text ?? (isUrl ? "" : selected.replaceAll("\n", " ")));
  const [typed, setTyped] = useState(there?.url ?? (isUrl ? selected.trim() : ""));
  const [refused, setRefused] = useState(false);

  function choose() {
    const url = linkUrl(typed);
    if (url) onChoose({ text: text.trim() || typed.trim(), url });
    else setRefused(true);
  }
  // React allows no form within the story's form.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    choose();
  }
  return (
    <div className="mt-5 flex flex-col gap-4">
      <Field label="Address" error={refused ? "Enter an address, such as https://example.com" : undefined}>
        <TextInput
          autoFocus
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value);
            setRefused(false);
          }}
        />
      </Field>
      <Field label="Text">
        <TextInput dir="auto" value={text} onKeyDown={onKeyDown} onChange={({ target }) => setText(target.value)} />
      </Field>
      <DialogActions>
        {there && (
          <Button variant="danger" className="mr-auto" onClick={() => onChoose("remove")}>
            Remove link
          </Button>
        )}
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button variant="primary" onClick={choose}>
          {there ? "Save link" : "Add link"}
        </Button>
      </DialogActions>
    </div>
  );
}
