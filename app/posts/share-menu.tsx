import { useRef, useState } from "react";
import { networks } from "#app/shell/frame/share-links.tsx";
import { useRoot } from "#app/shell/root-data.ts";
import { showToast } from "#app/shell/toasts.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Check, Link2, Share2 } from "#app/ui/icons.tsx";
import { Menu, MenuItem, MenuLink, MenuRule } from "#app/ui/menu.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";

/** How long Copy Link shows Copied! (specification §9). */
const confirmationMs = 2000;

export function ShareMenu({
  post,
  variant,
  className,
}: {
  post: { id: string; title: string };
  variant?: ButtonProps["variant"];
  className?: string;
}) {
  const { site } = useRoot();
  const shared = { title: post.title, url: `${site.url}/post/${post.id}` };
  const native = useHydrated() && typeof navigator.share === "function";
  return (
    <Menu
      className="w-52"
      trigger={
        <Button variant={variant} icon={Share2} className={className}>
          Share
        </Button>
      }
    >
      {networks(shared).map(({ label, icon, to }) => (
        <MenuLink key={label} icon={icon} to={to} target="_blank" rel="noopener">
          {label}
        </MenuLink>
      ))}
      <MenuRule />
      {native && (
        <MenuItem icon={Share2} onSelect={() => void navigator.share(shared).catch(() => {})}>
          More…
        </MenuItem>
      )}
      <CopyLink pageUrl={shared.url} />
    </Menu>
  );
}

function CopyLink({ pageUrl }: { pageUrl: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function copy() {
    try {
      await navigator.clipboard.writeText(pageUrl);
    } catch {
      showToast({ tone: "error", text: "Failed to copy link" });
      return;
    }
    showToast({ tone: "success", text: "Link copied to clipboard!" });
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), confirmationMs);
  }
  return (
    <MenuItem
      icon={copied ? Check : Link2}
      onSelect={(event) => {
        event.preventDefault();
        void copy();
      }}
    >
      {copied ? "Copied!" : "Copy Link"}
    </MenuItem>
  );
}
