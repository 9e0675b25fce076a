import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import ece from "http_ece";
import type { PushMessage } from "#domain/push/deliver-push.server.ts";
import type { NewPushDevice } from "#domain/push/push-devices.server.ts";
import type { Site } from "#domain/site.ts";
import { createPoster } from "#platform/fetch/poster.ts";

/** A certificate for `push.example`. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUPwaWyhmMTkfsdV2ew1BYH1t1RzwwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMcHVzaC5leGFtcGxlMCAXDTI2MTEyMzEyNTMxMVoYDzIxMjYx
MDMwMTI1MzExWjAXMRUwEwYDVQQDDAxwdXNoLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASU6N/K4IvgFbXOlOTRLUkA5Ffv4zoj/p6TSg7y/gMN5a20
wgQOj50+7DkWMFB3Tm3QEFj0SKgyQdAkLV/IENNfo2wwajAdBgNVHQ4EFgQUcoPY
WmWg8jT1B7pAaqbZxiMrXxAwHwYDVR0jBBgwFoAUcoPYWmWg8jT1B7pAaqbZxiMr
XxAwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxwdXNoLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSQAwRgIhAM3N0x0+6RjZUVBkfSUbWZkjjuZfkhfCYVbqu0iKN5jH
AiEAns02GSSIyDROP+f6aNtrqxk7FhsnR7wlG/rn0SREhA4=
-----END CERTIFICATE-----`;

const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwtDdtLD4GU4bIz4k
N/ia7VG8m60LWgF8ZAaH8yOg++OhRANCAASU6N/K4IvgFbXOlOTRLUkA5Ffv4zoj
/p6TSg7y/gMN5a20wgQOj50+7DkWMFB3Tm3QEFj0SKgyQdAkLV/IENNf
-----END PRIVATE KEY-----`;

type Received = { path: string; headers: Record<string, unknown>; body: Buffer; vapid: Record<string, unknown> | undefined };

/** A push service with browsers of its own. */
export type PushService = {
  received: Received[];
  /** Sets its answers. */
  answer: { status: number; headers?: Record<string, string> };
  url: string;
  browser(name: string): TestBrowser;
  /** Accepts requests for these paths and never answers. */
  silent: Set<string>;
  /** Ends the requests that wait for an answer, and later ones at once. */
  cut(): void;
  /** Receives the site's requests, as if it were on the public network. */
  connect(site: Site): void;
  close(): void;
};

export type TestBrowser = { device: NewPushDevice; read(body: Buffer): PushMessage };

export async function openPushService(): Promise<PushService> {
  const received: Received[] = [];
  const waiting: Socket[] = [];
  let cuts = false;
  const server = createServer({ cert: certificate, key: certificateKey }, async (request, response) => {
    const body = await buffer(request);
    const { headers, url: path = "" } = request;
    received.push({ path, headers, body, vapid: checkVapid(String(headers.authorization)) });
    if (service.silent.has(path)) {
      if (cuts) request.socket.destroy();
      else waiting.push(request.socket);
      return;
    }
    response.writeHead(service.answer.status, service.answer.headers).end("x".repeat(100_000));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `https://push.example:${port}`;
  const service: PushService = {
    ...{ received, url, answer: { status: 201 }, silent: new Set() },
    cut: () => {
      cuts = true;
      for (const socket of waiting) socket.destroy();
    },
    browser: (name) => openBrowser(`${url}/${name}`),
    connect: (site) => {
      const poster = createPoster({
        resolve: async () => ["127.0.0.1"],
        allowedTargets: [{ ip: "127.0.0.1", port }],
        ca: certificate,
      });
      Object.assign(site, { poster });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}

function openBrowser(endpoint: string): TestBrowser {
  const keys: ECDH = createECDH("prime256v1");
  keys.generateKeys();
  const auth = randomBytes(16).toString("base64url");
  return {
    device: { endpoint, p256dh: keys.getPublicKey("base64url"), auth, userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    read: (body) => JSON.parse(ece.decrypt(body, { version: "aes128gcm", privateKey: keys, authSecret: auth }).toString()),
  };
}

/** The site's signed claims, if any (RFC 8292). */
function checkVapid(authorization: string): Record<string, unknown> | undefined {
  const [, said = "", signature = "", point = ""] = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const bytes = Buffer.from(point, "base64url");
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((each) => each.toString("base64url"));
  const key = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x as string, y: y as string }, format: "jwk" });
  const isSigned = verify("sha256", Buffer.from(said), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  return isSigned ? JSON.parse(Buffer.from(said.split(".")[1] ?? "", "base64url").toString()) : undefined;
}
