import "#platform/private-files.ts";
import { demoEnvironment, demoFolder } from "./demo/environment.ts";
import { isEmptyFolder, seedDemo } from "./demo/seed.ts";
import { demoPassword, signIns } from "./demo/sign-ins.ts";

/** `npm run demo`: the site with a separate data folder, filled with sample content at the first start. */
process.env = demoEnvironment(process.env);
if (await isEmptyFolder(demoFolder)) await seedDemo(process.env);

await import(new URL("../build/site/serve.js", import.meta.url).href);

console.log("  Sign in to the sample community:\n");
for (const { role, email } of signIns) console.log(`    ${role.padEnd(14)} ${email.padEnd(20)} ${demoPassword}`);
console.log(`\n  It’s stored in ${demoFolder}. Delete that folder to start over.\n`);
