export type Xml = { readonly xml: string };

type Attributes = Record<string, string | number | undefined>;

export function element(name: string, attributes: Attributes = {}, ...content: (Xml | string)[]): Xml {
  const attributeText = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeText(String(value))}"`)
    .join("");
  const inner = content.map((each) => (typeof each === "string" ? escapeText(each) : each.xml)).join("");
  return { xml: inner === "" ? `<${name}${attributeText}/>` : `<${name}${attributeText}>${inner}</${name}>` };
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

// Characters that XML 1.0 can't represent, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
const invalidCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;" };

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(invalidCharacters, "")
    .replace(/[&<>"\r]/g, (character) => entities[character] ?? character);
}
