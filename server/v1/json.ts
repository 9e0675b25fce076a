/** Undefined for invalid JSON, and for nesting beyond `levels`, which would recurse as deep when written or compared. */
export function parseBoundedJson(text: string, levels: number): unknown {
  if (nestingOf(text, levels) > levels) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nestingOf(text: string, enough: number): number {
  let [level, deepest, isInText] = [0, 0, false];
  for (let at = 0; at < text.length && deepest <= enough; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) isInText = !isInText;
    else if (isInText) at += sign === backslash ? 1 : 0;
    else if (sign === openBrace || sign === openBracket) deepest = Math.max(deepest, ++level);
    else if (sign === closeBrace || sign === closeBracket) level--;
  }
  return deepest;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
