// systemd units of earlier versions start this file.
await import(new URL("../build/site/serve.js", import.meta.url).href);
