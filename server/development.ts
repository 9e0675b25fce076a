import type { Server } from "node:http";
import { createServer, type ViteDevServer } from "vite";

/** Vite on the same port: screens, styles and loaders reload when saved. */
export function startVite(server: Server): Promise<ViteDevServer> {
  return createServer({ appType: "custom", server: { middlewareMode: true, hmr: { server } } });
}
