import { WebSocketServer } from "ws";

/** The least that a live server can do: every message goes back to where it came from. The yardstick of bench/messages.ts. */
const server = new WebSocketServer({ port: Number(process.argv[2]), host: "127.0.0.1", perMessageDeflate: false, clientTracking: false });
server.on("connection", (socket) => socket.on("message", (data) => socket.send(String(data))));
server.on("listening", () => process.send?.("ready"));
process.on("disconnect", () => process.exit(0));
