import type { Server } from "node:http";
import { createServer, type ViteDevServer } from "vite";

/** Vite beside our server on the same port: screens, styles and loaders reload as they are saved. */
export function startVite(server: Server): Promise<ViteDevServer> {
  return createServer({ appType: "custom", server: { middlewareMode: true, hmr: { server } } });
}
