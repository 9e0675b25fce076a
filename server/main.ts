// For services that were set up when the site ran from here.
await import(new URL("../build/site/serve.js", import.meta.url).href);
