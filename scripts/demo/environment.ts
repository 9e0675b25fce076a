import { variableNames } from "#platform/config.ts";

export const demoFolder = "./data-demo";

const kept = ["HOST", "PORT", "SITE_URL", "PROXY_ADDRESSES", "REQUEST_LIMIT_FACTOR", "LOOP_LAG_LIMIT", "LOG_LEVEL"];

/** Without the settings of another site, whose database, buckets, mail server or secret the demo must not use. */
export function demoEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKept = (name: string) => kept.includes(name) || !variableNames.includes(name);
  return { ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))), DATA_DIR: demoFolder };
}
