import type { Fault, Picture, View } from "./pictures.ts";
import type { Screen } from "./screens.ts";

/** One document with a row of pictures for each screen. */
export function writePage({ screens, views, pictures, faults }: Gallery): string {
  const rows = screens.map((screen) => row(screen, views, pictures, faults)).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inkstead: every screen</title>
<style>
  body { margin: 2rem; font: 16px/1.5 system-ui, sans-serif; background: #ddd8d0; color: #1c1917; }
  section { margin-block: 3rem; }
  h2 { font-size: 1.1rem; } h2 small { font-weight: 400; color: #57534e; } .fault { color: #b91c1c; }
  .views { display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto; }
  figure { margin: 0; flex: none; } figcaption { font-size: .8rem; } img { display: block; box-shadow: 0 1px 6px #0005; }
</style>
<h1>Every screen</h1>
<p>${screens.length} screens, ${pictures.length} pictures, ${faults.length} faults.</p>
${rows}
</html>
`;
}

type Gallery = { screens: Screen[]; views: View[]; pictures: Picture[]; faults: Fault[] };

const scale = 0.5;

function row(screen: Screen, views: View[], pictures: Picture[], faults: Fault[]): string {
  const screenPictures = pictures.filter((picture) => picture.screen === screen);
  const faultTexts = faults.filter((fault) => fault.screen === screen).map(({ text }) => `<p class="fault">${escapeHtml(text)}</p>`);
  const figures = views.flatMap((view) => {
    const picture = screenPictures.find((each) => each.view === view);
    if (!picture) return [];
    const image = `<img loading="lazy" src="${picture.file}" width="${view.width * scale}" alt="">`;
    return [`<figure><a href="${picture.file}">${image}</a><figcaption>${view.name}</figcaption></figure>`];
  });
  const title = `${escapeHtml(screen.name)} <small>/${escapeHtml(screen.route)}, ${screen.as}</small>`;
  return `<section><h2>${title}</h2>${faultTexts.join("")}<div class="views">${figures.join("")}</div></section>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
