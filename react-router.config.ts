import type { Config } from "@react-router/dev/config";

// `npm run build` builds beside the last build and moves the result into place: scripts/build.ts.
export default {
  ssr: true,
  splitRouteModules: false,
  // All addresses in one file that is kept, instead of some of them in each page and the others asked for.
  routeDiscovery: { mode: "initial" },
  appDirectory: "app",
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
} satisfies Config;
