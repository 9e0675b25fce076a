import { Toolbar } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import type { Icon } from "#app/ui/icon.ts";
import {
  Bold,
  Code,
  Heading1,
  Heading2,
  Heading3,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListOrdered,
  Strikethrough,
  TextQuote,
  Underline,
} from "#app/ui/icons.tsx";
import { codeBlock, type Edit, heading, list, type Mark, quote, type Selection, wrap } from "./markdown-edits.ts";

export type Command = {
  label: string;
  icon: Icon;
  key?: string;
  shift?: boolean;
  alt?: boolean;
  mark?: Mark | "code";
  does: ((selection: Selection) => Edit) | "ask for a link" | "ask for a picture";
};

const groups: Command[][] = [
  [
    { label: "Bold", icon: Bold, key: "b", mark: "bold", does: (s) => wrap(s, "bold") },
    { label: "Italic", icon: Italic, key: "i", mark: "italic", does: (s) => wrap(s, "italic") },
    { label: "Underline", icon: Underline, key: "u", mark: "underline", does: (s) => wrap(s, "underline") },
    { label: "Strikethrough", icon: Strikethrough, key: "x", shift: true, mark: "strikethrough", does: (s) => wrap(s, "strikethrough") },
  ],
  [
    { label: "Heading 1", icon: Heading1, key: "1", alt: true, mark: "heading1", does: (s) => heading(s, 1) },
    { label: "Heading 2", icon: Heading2, key: "2", alt: true, mark: "heading2", does: (s) => heading(s, 2) },
    { label: "Heading 3", icon: Heading3, key: "3", alt: true, mark: "heading3", does: (s) => heading(s, 3) },
  ],
  [
    { label: "Bullet list", icon: List, key: "8", shift: true, mark: "bullet", does: (s) => list(s, "bullet") },
    { label: "Numbered list", icon: ListOrdered, key: "7", shift: true, mark: "numbered", does: (s) => list(s, "numbered") },
  ],
  [
    { label: "Quote", icon: TextQuote, key: "9", shift: true, mark: "quote", does: quote },
    { label: "Code block", icon: Code, key: "e", mark: "code", does: codeBlock },
    { label: "Link", icon: Link2, key: "k", mark: "link", does: "ask for a link" },
    { label: "Picture", icon: ImagePlus, does: "ask for a picture" },
  ],
];

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** There Ctrl moves the cursor and deletes, as in every text field. */
const isApple = () => /^(Mac|iP)/.test(navigator.platform);

export function commandOfKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): Command | undefined {
  if (isApple() ? !metaKey || ctrlKey : !ctrlKey || metaKey) return undefined;
  const pressed = /^Digit\d$/.test(code) ? code.slice(-1) : key.toLowerCase();
  return groups.flat().find((command) => command.key === pressed && Boolean(command.shift) === shiftKey && Boolean(command.alt) === altKey);
}

function shortcutOf({ key, shift, alt }: Command): string {
  if (!key) return "";
  const [altName, shiftName, main] = isApple() ? ["⌥", "⇧", "⌘"] : ["Alt+", "Shift+", "Ctrl+"];
  const keys = [alt && altName, shift && shiftName];
  return ` (${[...(isApple() ? [...keys, main] : [main, ...keys])].filter(Boolean).join("")}${key.toUpperCase()})`;
}

/** On phones the last visible button is cut in half, to show that there are more. */
const toolWidths =
  "[--tool:2.75rem] @max-[440px]:[--tool:calc((100cqw-44px)/7.5)] @max-[375px]:[--tool:calc((100cqw-31px)/6.5)] @max-[317px]:[--tool:calc((100cqw-29px)/5.5)]";

type ToolbarProps = { disabled: boolean; pressed: readonly string[]; onCommand: (command: Command) => void };

export function MarkdownToolbar({ disabled, pressed, onCommand }: ToolbarProps) {
  const { ref, hidden } = useOverflow();
  return (
    <Toolbar.Root
      ref={ref}
      aria-label="Formatting"
      className={classNames(
        "flex h-13 min-w-0 flex-1 items-center gap-0.5 overflow-x-auto border-line px-2 [scrollbar-width:none] max-lg:border-t",
        toolWidths,
        hidden === "end" && "[mask-image:linear-gradient(to_right,black_calc(100%-1rem),rgb(0_0_0/0.35))]",
        hidden === "start" && "[mask-image:linear-gradient(to_left,black_calc(100%-1rem),rgb(0_0_0/0.35))]",
        hidden === "both" && "[mask-image:linear-gradient(to_right,rgb(0_0_0/0.35),black_1rem,black_calc(100%-1rem),rgb(0_0_0/0.35))]",
      )}
    >
      {groups.map((group, index) => (
        <span key={group[0]?.label} className="flex items-center gap-0.5">
          {index > 0 && <Toolbar.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />}
          {group.map((command) => (
            <ToolButton
              key={command.label}
              command={command}
              disabled={disabled}
              pressed={command.mark && pressed.includes(command.mark)}
              onCommand={onCommand}
            />
          ))}
        </span>
      ))}
    </Toolbar.Root>
  );
}

type ToolButtonProps = { command: Command; disabled: boolean; pressed: boolean | undefined; onCommand: (command: Command) => void };

function ToolButton({ command, disabled, pressed, onCommand }: ToolButtonProps) {
  const { label, icon: IconComponent } = command;
  return (
    <Toolbar.Button
      aria-label={label}
      aria-pressed={pressed}
      title={label + shortcutOf(command)}
      disabled={disabled}
      // Keeps the focus in the text, and the keyboard of phones open.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onCommand(command)}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-hover hover:text-ink disabled:opacity-45 aria-pressed:bg-hover aria-pressed:text-ink max-lg:h-11 max-lg:w-(--tool)"
    >
      <IconComponent aria-hidden className="size-[18px]" />
    </Toolbar.Button>
  );
}

type Overflow = "none" | "start" | "end" | "both";

/** The ends at which more can be scrolled to. */
function useOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<Overflow>("none");
  useEffect(() => {
    const row = ref.current;
    if (!row) return;
    const updateFit = () => {
      const before = row.scrollLeft > 4;
      const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 4;
      setHidden(before ? (after ? "both" : "start") : after ? "end" : "none");
    };
    const sizes = new ResizeObserver(updateFit);
    sizes.observe(row);
    row.addEventListener("scroll", updateFit, { passive: true });
    return () => {
      sizes.disconnect();
      row.removeEventListener("scroll", updateFit);
    };
  }, []);
  return { ref, hidden };
}
