import type { Duplex } from "node:stream";

const statusTexts = {
  403: "Forbidden",
  404: "Not Found",
  414: "URI Too Long",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** @param retryAfter - in seconds */
export function refuseUpgrade(socket: Duplex, status: keyof typeof statusTexts, retryAfter = 10): void {
  const retry = status === 503 || status === 429 ? `Retry-After: ${retryAfter}\r\n` : "";
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`);
  socket.once("finish", () => socket.destroy());
}
