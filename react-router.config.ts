import type { Config } from "@react-router/dev/config";

// `npm run build` builds in a separate folder and moves the result into place: scripts/build.ts.
export default {
  ssr: true,
  splitRouteModules: false,
  // All routes in one cached file, instead of some in each page and requests for the others.
  routeDiscovery: { mode: "initial" },
  appDirectory: "app",
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
} satisfies Config;
