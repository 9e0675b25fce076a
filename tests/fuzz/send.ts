import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Attempt, HttpAttempt, Outcome, Sender, SocketAttempt } from "./attempt.ts";

export type Address = { port: number; origin: string };
/** `cookie` headers of each kind of sender, used in turn. */
export type Cookies = Record<Sender, string[]>;

/** A slower response counts as none. */
const responseTimeoutMs = 60_000;
const socketLingerMs = 150;
const slowStepMs = 25;
const slowSteps = 30;
const chunkBytes = 700;
const maxChunks = 300;
/** Bytes of a response that are read; further ones are only counted. */
const headBytes = 64;

let turn = 0;

/** Sends one attempt and waits for its end. Never throws: a broken connection is an outcome too. */
export async function send(attempt: Attempt, address: Address, cookies: Cookies): Promise<Outcome> {
  const begin = performance.now();
  const jar = cookies[attempt.sender];
  const cookie = jar[turn++ % jar.length] ?? "";
  const work = attempt.kind === "http" ? sendHttp(attempt, address, cookie) : sendFrames(attempt, address, cookie);
  const { status, bytes } = await work.catch(() => ({ status: 0, bytes: 0 }));
  return { status, bytes, milliseconds: performance.now() - begin };
}

async function sendHttp(attempt: HttpAttempt, address: Address, cookie: string): Promise<Omit<Outcome, "milliseconds">> {
  const socket = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true });
  const answer = readAnswer(socket);
  socket.setTimeout(responseTimeoutMs, () => socket.destroy());
  try {
    await once(socket, "connect");
    await deliver(socket, attempt, address, cookie);
    return await answer;
  } finally {
    socket.destroy();
  }
}

function readAnswer(socket: Socket): Promise<Omit<Outcome, "milliseconds">> {
  return new Promise((resolve) => {
    let head = "";
    let bytes = 0;
    socket.on("data", (chunk) => {
      if (head.length < headBytes) head += chunk.toString("latin1", 0, headBytes);
      bytes += chunk.length;
    });
    const end = () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), bytes });
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
  });
}

async function deliver(socket: Socket, attempt: HttpAttempt, address: Address, cookie: string): Promise<void> {
  const { body = Buffer.alloc(0), delivery } = attempt;
  const head = headOf(attempt, address, cookie, body.length);
  if (delivery === "whole") socket.write(Buffer.concat([head, body]));
  else if (delivery === "abandoned") {
    socket.write(Buffer.concat([head, body]), () => socket.destroy());
  } else if (delivery === "half-closed") {
    // Announces more bytes and closes its side.
    socket.end(Buffer.concat([head, body.subarray(0, body.length >> 1)]));
  } else if (delivery === "slow") await deliverSlowly(socket, Buffer.concat([head, body]));
  else {
    socket.write(head);
    const size = Math.max(chunkBytes, Math.ceil(body.length / maxChunks));
    for (let at = 0; at < body.length; at += size) {
      const piece = body.subarray(at, at + size);
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
    }
    socket.write("0\r\n\r\n");
  }
}

/** Sends slowly, and never all of it. */
async function deliverSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  const size = Math.max(1, Math.floor(bytes.length / (slowSteps + 1)));
  for (let step = 0; step < slowSteps && !socket.destroyed; step++) {
    socket.write(bytes.subarray(step * size, (step + 1) * size));
    await pause(slowStepMs);
  }
  socket.destroy();
}

function headOf({ method, target, headers, body, delivery, network }: HttpAttempt, { origin }: Address, cookie: string, length: number) {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual: [string, string][] = [
    ["Host", new URL(origin).host],
    ["Connection", "close"],
    ["X-Forwarded-For", network],
    ["Origin", origin],
  ];
  if (cookie) usual.push(["Cookie", cookie]);
  const framing: [string, string][] = delivery === "chunked" ? [["Transfer-Encoding", "chunked"]] : [["Content-Length", String(length)]];
  const lines = [
    ...usual.filter(([name]) => !given.has(name.toLowerCase())),
    ...headers,
    ...(body || delivery === "chunked" ? framing : []),
  ].map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n\0]/g, " ")}`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

async function sendFrames(attempt: SocketAttempt, address: Address, cookie: string): Promise<Omit<Outcome, "milliseconds">> {
  const { target, frames, headers, network } = attempt;
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}${target}`, {
    headers: {
      host: new URL(address.origin).host,
      origin: address.origin,
      "x-forwarded-for": network,
      ...(cookie && { cookie }),
      ...Object.fromEntries(headers),
    },
    handshakeTimeout: responseTimeoutMs,
  });
  let bytes = 0;
  socket.on("error", () => {});
  socket.on("message", (data) => {
    bytes += (data as Buffer).length;
  });
  const refused = once(socket, "unexpected-response").then(([, response]) => (response as { statusCode: number }).statusCode);
  const status = await Promise.race([once(socket, "open").then(() => 101), refused]);
  if (status !== 101) return { status, bytes };
  for (const frame of frames) if (socket.readyState === socket.OPEN) socket.send(frame);
  await waitForPong(socket);
  socket.terminate();
  return { status, bytes };
}

/** Waits for the pong to a last ping, or for the end of the connection. */
async function waitForPong(socket: WebSocket): Promise<void> {
  if (socket.readyState !== socket.OPEN) return;
  socket.ping();
  const ended = once(socket, "close").catch(() => {});
  await Promise.race([once(socket, "pong").then(() => pause(socketLingerMs)), ended, pause(responseTimeoutMs, undefined, { ref: false })]);
}
