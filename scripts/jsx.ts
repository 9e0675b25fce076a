import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { transformSync } from "rolldown/utils";

// Loaded by `--import` into Vitest's workers. Node runs TypeScript without a transform, but not the JSX and pictures of components.
registerHooks({
  load(url, context, nextLoad) {
    const { pathname } = new URL(url);
    if (pathname.endsWith(".svg")) return { format: "module", source: `export default ${JSON.stringify(pathname)}`, shortCircuit: true };
    if (!pathname.endsWith(".tsx")) return nextLoad(url, context);
    const { code, errors } = transformSync(pathname, readFileSync(new URL(url), "utf8"), { define: { "import.meta.env.DEV": "false" } });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
    return { format: "module", source: code, shortCircuit: true };
  },
});
