import { folderOf, isTest, lineOf, type Source, visit } from "./source.ts";

const reader = "domain/forms/read-form.server.ts";

/**
 * One file reads posted forms, and bounds their bytes and fields.
 * A `clientAction` runs in the browser on the person's own form.
 */
export function formReads(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => ["app", "domain", "platform", "server"].includes(folderOf(path)) && !isTest(path))
    .flatMap((source) => {
      const found: string[] = [];
      const inBrowser: [start: number, end: number][] = [];
      visit(source, {
        FunctionDeclaration: ({ id, start, end }) => void (id?.name === "clientAction" && inBrowser.push([start, end])),
        VariableDeclarator: ({ id, start, end }) =>
          void (id.type === "Identifier" && id.name === "clientAction" && inBrowser.push([start, end])),
      });
      const inClientAction = (at: number) => inBrowser.some(([start, end]) => start <= at && at < end);
      visit(source, {
        MemberExpression: ({ property, start }) => {
          if (property.type !== "Identifier" || property.name !== "formData" || source.path === reader) return;
          const line = source.text.slice(start, start + 200);
          if (/^[^;]*?\.formData\(\)/.test(line) && !inClientAction(start))
            found.push(`${source.path}:${lineOf(source, start)} .formData()`);
        },
      });
      return found;
    });
}
