import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { chunks } from "./scripts/chunks.ts";

/**
 * On the server, domain/, platform/ and app/context.ts stay modules that Node loads itself: one instance of each, shared
 * with server/, in development and in the build.
 */
function nativeServerModules(): Plugin {
  const native = /^#(domain|platform)\/|^#app\/context\.ts$/;
  return {
    name: "native-server-modules",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "ssr",
    resolveId(id) {
      if (!native.test(id)) return null;
      return { id: this.environment.mode === "build" ? id : new URL(id.slice(1), import.meta.url).href, external: true };
    },
    configureServer(server) {
      // Vite's module runner would bundle file:// ids; Node must load them.
      const ssr = server.environments.ssr;
      if (!ssr) return;
      const fetchModule = ssr.fetchModule.bind(ssr);
      ssr.fetchModule = async (id, importer, options) =>
        id.startsWith("file://") && !id.includes("/node_modules/")
          ? { externalize: id, type: "module" }
          : fetchModule(id, importer, options);
    },
  };
}

/** Removes `displayName`, whose assignment keeps unused components in the bundle. */
function removeDisplayNames(): Plugin {
  return {
    name: "unnamed-components",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /node_modules.*\.m?js/, code: /\.displayName = / },
      handler: (code) => ({
        code: code.replaceAll(/^\w+\.displayName = .*;$/gm, "").replaceAll(/= (\w+\$?\w*\.forwardRef\()/g, "= /* @__PURE__ */ $1"),
        map: null,
      }),
    },
  };
}

export default defineConfig({
  // Without the entries, the first visit of each page finds its dependencies outdated and fails.
  optimizeDeps: { entries: ["app/**/*.{ts,tsx}"] },
  plugins: [nativeServerModules(), removeDisplayNames(), tailwindcss(), reactRouter()],
  // Operators can do nothing about the bundler's timings.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } } } },
});
