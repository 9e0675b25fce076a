import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createFetcher, FetchError } from "./fetcher.ts";
import { isPublicIp } from "./public-ips.ts";

describe("addresses", () => {
  test.each([
    ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
    ["::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a00:1", "::127.0.0.1", "64:ff9b::7f00:1", "100::1", "fc00::1", "fd12::1"],
    ["fe80::1", "fe80::1%eth0", "2001:4860::1%eth0", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1"],
    ["localhost", "", "1", "127.1", "2606:4700"],
  ])("%s is not public", (...addresses) => {
    expect(addresses.filter(isPublicIp)).toEqual([]);
  });

  test("other addresses are public", () => {
    const addresses = [
      "1.1.1.1",
      "8.8.8.8",
      "100.63.255.255",
      "100.128.0.1",
      "172.32.0.1",
      "223.255.255.255",
      "2606:4700::1111",
      "2a00::1",
    ];
    expect(addresses.filter((each) => !isPublicIp(each))).toEqual([]);
  });
});

const limits = { maxBytes: 1000, accept: "image/png" };
const never = new AbortController().signal;
let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

async function serve(answer: RequestListener, ip = "127.0.0.1"): Promise<number> {
  const server = createServer(answer).listen(0, ip);
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const allowing = (port: number, resolve = async () => ["127.0.0.1"]) =>
  createFetcher({ resolve, allowedTargets: [{ ip: "127.0.0.1", port }] });
const get = (fetcher: ReturnType<typeof createFetcher>, address: string, signal = never) => fetcher(address, { ...limits, signal });

test("fetches from the checked address with the name's Host and without our data", async () => {
  let headers: Record<string, unknown> = {};
  const port = await serve((request, response) => {
    headers = request.headers;
    response.end("bytes");
  });
  expect(Buffer.from(await get(allowing(port), `http://pictures.example:${port}/a.png?b=1`)).toString()).toBe("bytes");
  expect(headers).toEqual({
    host: `pictures.example:${port}`,
    accept: "image/png",
    "accept-encoding": "identity",
    "user-agent": "Inkstead",
    connection: "close",
  });
});

test("never contacts private addresses, however they are written", async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests++;
    response.end("secret");
  });
  const fetcher = createFetcher({ resolve: async () => ["127.0.0.1"] });
  const half = createFetcher({ resolve: async () => ["93.184.216.34", "10.0.0.1"] });
  const hosts = [
    "127.0.0.1",
    "localhost",
    "0x7f000001",
    "2130706433",
    "127.1",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "rebind.example",
    "0",
  ];
  for (const host of hosts)
    for (const address of [`http://${host}:${port}/`, `http://${host}/`, `https://${host}/`])
      await expect(get(fetcher, address)).rejects.toThrow(/not on the public network/);
  await expect(get(half, "http://two-faced.example/")).rejects.toThrow(/not on the public network/);
  for (const address of ["http://169.254.169.254/latest/meta-data", "http://1.1.1.1:22/", "http://1.1.1.1:8080/", "https://1.1.1.1:80/"])
    await expect(get(fetcher, address)).rejects.toThrow(/not on the public network/);
  for (const address of ["file:///etc/passwd", "ftp://1.1.1.1/", "data:image/png,a", "gopher://a.example", "//", "http://a:b@c.example/"])
    await expect(get(fetcher, address)).rejects.toThrow(FetchError);
  expect(requests).toBe(0);
});

test("each name is resolved once, so a later change has no effect", async () => {
  const port = await serve((_, response) => void response.end("bytes"));
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let looked = 0;
  await get(
    allowing(port, async () => answers[looked++] ?? []),
    `http://rebind.example:${port}/`,
  );
  expect(looked).toBe(1);
});

describe("a name with several addresses", () => {
  const bytes: RequestListener = ({ headers }, response) => void response.end(headers.host);
  const allowingAll = (port: number, ...ips: string[]) =>
    createFetcher({ resolve: async () => ips, allowedTargets: ips.map((ip) => ({ ip, port })) });

  test("is reached at the one that answers", async () => {
    const port = await serve(bytes, "::1");
    const response = await get(allowingAll(port, "127.0.0.2", "::1"), `http://pictures.example:${port}/`);
    expect(Buffer.from(response).toString()).toBe(`pictures.example:${port}`);
  });

  test("is never reached at another", async () => {
    const port = await serve(bytes);
    const fetching = get(allowingAll(port, "127.0.0.2", "127.0.0.3"), `http://localhost:${port}/`);
    await expect(fetching).rejects.toThrow("ECONNREFUSED");
  });

  test("is not contacted if one is private, except for those of a DNS64 resolver, which are left out", async () => {
    const port = await serve(bytes);
    const allowsFirst = (...ips: string[]) => createFetcher({ resolve: async () => ips, allowedTargets: [{ ip: ips[0] ?? "", port }] });
    const url = `http://pictures.example:${port}/`;
    await expect(get(allowsFirst("127.0.0.1", "::1"), url)).rejects.toThrow(/not on the public network/);
    expect(await get(allowsFirst("127.0.0.1", "64:ff9b::7f00:1"), url)).toBeDefined();
    const onlySynthesized = createFetcher({ resolve: async () => ["64:ff9b::101:101"] });
    await expect(get(onlySynthesized, "http://pictures.example/")).rejects.toThrow(/not on the public network/);
  });
});

test("follows three redirects, each checked again", async () => {
  const port = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    const location =
      left > 0
        ? `/${left - 1}`
        : request.url === "/in"
          ? "http://127.0.0.1:1/"
          : request.url === "/file"
            ? "file:///etc/passwd"
            : undefined;
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end("bytes");
  });
  const fetcher = allowing(port);
  expect((await get(fetcher, `http://a.example:${port}/3`)).byteLength).toBe(5);
  await expect(get(fetcher, `http://a.example:${port}/4`)).rejects.toThrow("too many redirects");
  await expect(get(fetcher, `http://a.example:${port}/in`)).rejects.toThrow(/not on the public network/);
  await expect(get(fetcher, `http://a.example:${port}/file`)).rejects.toThrow("unsupported protocol file:");
});

test("gives up on too large, missing or endless responses", async () => {
  const port = await serve((request, response) => {
    if (request.url === "/declared") response.writeHead(200, { "content-length": 2000 }).flushHeaders();
    else if (request.url === "/unsaid") response.end(Buffer.alloc(2000));
    else if (request.url === "/missing") response.writeHead(404).end();
    else if (request.url === "/never") response.writeHead(200).write("a");
  });
  const fetcher = allowing(port);
  await expect(get(fetcher, `http://a.example:${port}/declared`)).rejects.toThrow("too large");
  await expect(get(fetcher, `http://a.example:${port}/unsaid`)).rejects.toThrow("too large");
  await expect(get(fetcher, `http://a.example:${port}/missing`)).rejects.toThrow("404");
  const leaving = new AbortController();
  for (const path of ["never", "silent"]) {
    const fetching = get(fetcher, `http://a.example:${port}/${path}`, leaving.signal);
    if (path === "silent") setTimeout(() => leaving.abort(), 50);
    else setTimeout(() => servers[0]?.closeAllConnections(), 50);
    await expect(fetching).rejects.toThrow(FetchError);
  }
});
