import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  Italic,
  Link2,
  List,
  ListOrdered,
  Strikethrough,
  TextQuote,
  Underline,
} from "lucide-react";
import { Toolbar } from "radix-ui";
import type { Icon } from "#app/ui/icon.ts";
import { codeBlock, type Edit, heading, link, prefixLines, type Selection, wrap } from "./markdown-edits.ts";

export type Command = { label: string; icon: Icon; key?: string; shift?: boolean; alt?: boolean; edit: (selection: Selection) => Edit };

const groups: Command[][] = [
  [
    { label: "Bold", icon: Bold, key: "b", edit: (s) => wrap(s, "**") },
    { label: "Italic", icon: Italic, key: "i", edit: (s) => wrap(s, "*") },
    { label: "Underline", icon: Underline, key: "u", edit: (s) => wrap(s, "<u>", "</u>") },
    { label: "Strikethrough", icon: Strikethrough, key: "x", shift: true, edit: (s) => wrap(s, "~~") },
  ],
  [
    { label: "Heading 1", icon: Heading1, key: "1", alt: true, edit: (s) => heading(s, 1) },
    { label: "Heading 2", icon: Heading2, key: "2", alt: true, edit: (s) => heading(s, 2) },
    { label: "Heading 3", icon: Heading3, key: "3", alt: true, edit: (s) => heading(s, 3) },
  ],
  [
    { label: "Bullet list", icon: List, key: "8", shift: true, edit: (s) => prefixLines(s, () => "- ", /^- /) },
    { label: "Numbered list", icon: ListOrdered, key: "7", shift: true, edit: (s) => prefixLines(s, (line) => `${line}. `, /^\d+\. /) },
  ],
  [
    { label: "Quote", icon: TextQuote, key: "9", shift: true, edit: (s) => prefixLines(s, () => "> ", /^> /) },
    { label: "Code block", icon: Code, key: "e", edit: codeBlock },
    { label: "Link", icon: Link2, key: "k", edit: link },
  ],
];

type Keys = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

export function commandOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Keys): Command | undefined {
  if (!(ctrlKey || metaKey)) return undefined;
  const pressed = /^Digit\d$/.test(code) ? code.slice(-1) : key.toLowerCase();
  return groups.flat().find((command) => command.key === pressed && Boolean(command.shift) === shiftKey && Boolean(command.alt) === altKey);
}

function shortcutOf({ key, shift, alt }: Command): string {
  return key ? ` (Ctrl+${shift ? "Shift+" : ""}${alt ? "Alt+" : ""}${key.toUpperCase()})` : "";
}

export function MarkdownToolbar({ disabled, onCommand }: { disabled: boolean; onCommand: (command: Command) => void }) {
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex h-13 flex-1 items-center gap-0.5 overflow-x-auto border-line px-2 [scrollbar-width:none] max-lg:border-t"
    >
      {groups.map((group, index) => (
        <span key={group[0]?.label} className="flex items-center gap-0.5">
          {index > 0 && <Toolbar.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />}
          {group.map((command) => (
            <ToolButton key={command.label} command={command} disabled={disabled} onCommand={onCommand} />
          ))}
        </span>
      ))}
    </Toolbar.Root>
  );
}

type ToolButtonProps = { command: Command; disabled: boolean; onCommand: (command: Command) => void };

function ToolButton({ command, disabled, onCommand }: ToolButtonProps) {
  const { label, icon: Drawing } = command;
  return (
    <Toolbar.Button
      aria-label={label}
      title={label + shortcutOf(command)}
      disabled={disabled}
      onClick={() => onCommand(command)}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-hover hover:text-ink disabled:opacity-45 max-lg:size-11"
    >
      <Drawing aria-hidden className="size-[18px]" />
    </Toolbar.Button>
  );
}
