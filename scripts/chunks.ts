/**
 * Groups browser modules into chunks, so that a page loads a dozen files instead of a hundred: one for all pages, one for readers' pages, and
 * one each for members' pages, account forms, the editor, messages and staff. Modules of a single page, and those loaded on demand, stay
 * separate.
 */
type Context = { getModuleInfo(id: string): { importers: string[]; isEntry: boolean } | null };

const areaOf = (id: string): string => {
  if (/[\\/]app[\\/](pages[\\/]index-page|posts[\\/]post-page|posts[\\/]lists[\\/]all-posts-page|profiles[\\/]profile-page)/.test(id))
    return "reading";
  const name = /[\\/]app[\\/](accounts|setup|newsletter|admin|messages|posts[\\/]editor)[\\/]/.exec(id)?.[1];
  if (name === "setup" || name === "newsletter") return "accounts";
  return name?.replace(/.*[\\/]/, "") ?? "members";
};

const pagesByModule = new Map<string, Set<string>>();

function pagesImporting(id: string, context: Context): Set<string> {
  const known = pagesByModule.get(id);
  if (known) return known;
  const pages = new Set<string>();
  const seen = new Set([id]);
  for (const each of seen) {
    const info = context.getModuleInfo(each);
    if (info?.isEntry) pages.add(each);
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  pagesByModule.set(id, pages);
  return pages;
}

function sharedChunk(id: string, context: Context): string | null {
  const pages = pagesImporting(id, context);
  if (pages.size < 2) return null;
  const areas = new Set([...pages].map(areaOf));
  if (areas.has("reading")) return "reading";
  return areas.size === 1 ? ([...areas][0] ?? null) : "members";
}

// A chunk includes the imports of its modules, unless an earlier chunk has them.
const shared = ["reading", "members", "accounts", "editor", "messages", "admin"].map((name) => ({
  debugName: name,
  name: (id: string, context: Context) => (sharedChunk(id, context) === name ? name : null),
}));

export const chunks = [
  { name: "framework", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
  // Without entry.client.tsx, which hydrates the page as soon as it runs.
  { name: "shell", test: /[\\/]app[\\/](root\.tsx|nonce\.tsx|errors[\\/]report-errors\.ts)|[\\/]get-nonce[\\/]/ },
  ...shared,
].map((chunk, index) => ({ ...chunk, priority: 100 - index }));
