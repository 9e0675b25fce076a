import { useContext } from "react";
import { UNSAFE_FrameworkContext as FrameworkContext, Scripts, useMatches } from "react-router";
import { NonceContext } from "#app/nonce.tsx";
import { readersPages } from "./prefetch.tsx";

/**
 * Loads the page's modules; on readers' pages after the first paint, or at the first press, key or focus. Each file runs in its own task: the
 * router's `Scripts` runs all in one, which takes a third of a second on a slow phone.
 */
export function PageScripts() {
  const nonce = useContext(NonceContext) || undefined;
  const framework = useContext(FrameworkContext);
  const ids = useMatches().map(({ id }) => id);
  if (import.meta.env.DEV) return <Scripts nonce={nonce} />;
  const code = import.meta.env.SSR && framework ? contextCode(framework.serverHandoffString) + startCode(framework.manifest, ids) : "";
  // entry.server.tsx adds the loaders' data for pages that have scripts.
  if (framework?.renderMeta) framework.renderMeta.didRenderScripts = true;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, with addresses of our own files.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: code }} />;
}

type Manifest = NonNullable<React.ContextType<typeof FrameworkContext>>["manifest"];

/** The globals that HydratedRouter reads, as the router's `Scripts` sets them. */
function contextCode(handoff: string | undefined): string {
  return `(()=>{const c=window.__reactRouterContext=${handoff};c.stream=new ReadableStream({start(s){c.streamController=s}}).pipeThrough(new TextEncoderStream())})();`;
}

function startCode({ url, entry, routes }: Manifest, ids: string[]): string {
  const imports = ids.flatMap((id) => routes[id]?.imports ?? []);
  const preloads = [...new Set([url, ...entry.imports, ...imports].reverse())];
  const modules = Object.fromEntries(ids.map((id) => [id, routes[id]?.module]));
  const waits = ids.some((id) => readersPages.includes(id));
  return `(()=>{
const files=${JSON.stringify(preloads)},modules=${JSON.stringify(modules)},routes={};
const task=()=>new Promise(done=>{const{port1,port2}=new MessageChannel();port1.onmessage=done;port2.postMessage(0)});
const run=async file=>{const module=await import(file);await task();return module};
let started;
const start=async()=>{
if(started)return;
started=true;
for(const href of [...files,...Object.values(modules),"${entry.module}"])document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",fetchPriority:"low",href}));
for(const file of files)await run(file);
for(const id in modules)routes[id]=await run(modules[id]);
window.__reactRouterRouteModules=routes;
import("${entry.module}")};
${waits ? waitCode : "start()"}})()`;
}

// The load event is for browsers and hidden pages without paints.
const waitCode = `for(const type of["pointerdown","keydown","focusin"])addEventListener(type,start,{once:true,capture:true,passive:true});
new PerformanceObserver(list=>list.getEntriesByName("first-contentful-paint")[0]&&start()).observe({type:"paint",buffered:true});
addEventListener("load",()=>setTimeout(start,300))`;
