import { WebSocketServer } from "ws";

/** A bare server that echoes every message, for comparison in bench/table/messages.ts. */
const server = new WebSocketServer({ port: Number(process.argv[2]), host: "127.0.0.1", perMessageDeflate: false, clientTracking: false });
server.on("connection", (socket) => socket.on("message", (data) => socket.send(String(data))));
server.on("listening", () => process.send?.("ready"));
process.on("disconnect", () => process.exit(0));
