// The scissors: basic cut shapes, written as SVG text.
export const WIDTH = 1200;
export const HEIGHT = 630;

let used = 0;
export const startPicture = () => {
  used = 0;
};
const freshId = (word) => {
  used += 1;
  return `${word}${used}`;
};

const short = (n) => (typeof n === "number" ? Math.round(n * 10) / 10 : n);

// extra: see = opacity, round = corner radius, turn = degrees or [degrees, x, y]; the rest are SVG attributes
function extraText(extra = {}) {
  return Object.entries(extra)
    .map(([key, value]) => {
      if (key === "see") return ` opacity="${value}"`;
      if (key === "round") return ` rx="${value}"`;
      if (key === "turn") return ` transform="rotate(${[].concat(value).join(" ")})"`;
      return ` ${key}="${value}"`;
    })
    .join("");
}

export const rect = (x, y, w, h, fill, extra) =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" fill="${fill}"${extraText(extra)}/>`;
export const circle = (x, y, r, fill, extra) =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${fill}"${extraText(extra)}/>`;
export const oval = (x, y, rx, ry, fill, extra) =>
  `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}" fill="${fill}"${extraText(extra)}/>`;
export const cut = (d, fill, extra) => `<path d="${d}" fill="${fill}"${extraText(extra)}/>`;
export const shape = (points, fill, extra) =>
  `<polygon points="${points.map(([x, y]) => `${short(x)},${short(y)}`).join(" ")}" fill="${fill}"${extraText(extra)}/>`;
export const pen = (d, colour, width = 4, extra) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${extraText(extra)}/>`;
export const line = (x1, y1, x2, y2, colour, width = 4, extra) =>
  pen(`M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}`, colour, width, extra);
export const ring = (x, y, r, colour, width = 4, extra) => circle(x, y, r, "none", { stroke: colour, "stroke-width": width, ...extra });
export const ground = (fill) => rect(0, 0, WIDTH, HEIGHT, fill);

// Put a drawing made around 0,0 somewhere on the sheet.
export const place = (x, y, drawing, { scale = 1, turn = 0, flip = false, see } = {}) =>
  `<g transform="translate(${short(x)} ${short(y)}) rotate(${short(turn)}) scale(${flip ? -scale : scale} ${scale})"${see ? ` opacity="${see}"` : ""}>${drawing}</g>`;

// Lift a piece of paper off the one below: a soft shadow.
export const lift = (drawing, size = "low") => `<g filter="url(#lift-${size})">${drawing}</g>`;

// Show a drawing only inside an outline (any shape text).
export function inside(outline, drawing) {
  const id = freshId("inside");
  return `<clipPath id="${id}">${outline}</clipPath><g clip-path="url(#${id})">${drawing}</g>`;
}

// A fill that runs from one colour to another, top to bottom unless told otherwise.
export function fade(stops, use, direction = 'x1="0" y1="0" x2="0" y2="1"') {
  const id = freshId("fade");
  const steps = stops.map((colour, i) => `<stop offset="${short(i / (stops.length - 1))}" stop-color="${colour}"/>`).join("");
  return `<linearGradient id="${id}" ${direction}>${steps}</linearGradient>${use(`url(#${id})`)}`;
}
export const sky = (...stops) => fade(stops, ground);

// A round glow that thins out to nothing.
export function glow(x, y, r, colour, strength = 0.6) {
  const id = freshId("glow");
  return (
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/>` +
    `<stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>${circle(x, y, r, `url(#${id})`)}`
  );
}

// A soft curve through points.
export function through(points, closed = false) {
  const at = (i) => (closed ? points[(i + points.length) % points.length] : points[Math.max(0, Math.min(points.length - 1, i))]);
  let d = `M${short(points[0][0])} ${short(points[0][1])}`;
  const count = closed ? points.length : points.length - 1;
  for (let i = 0; i < count; i += 1) {
    const [a, b, e, f] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d += `C${short(b[0] + (e[0] - a[0]) / 6)} ${short(b[1] + (e[1] - a[1]) / 6)} ${short(e[0] - (f[0] - b[0]) / 6)} ${short(e[1] - (f[1] - b[1]) / 6)} ${short(e[0])} ${short(e[1])}`;
  }
  return closed ? `${d}Z` : d;
}

export const many = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join("");
export const around = (x, y, r, degrees) => [x + r * Math.cos((degrees * Math.PI) / 180), y + r * Math.sin((degrees * Math.PI) / 180)];

const liftFilter = (name, drop, blur, strength) =>
  `<filter id="lift-${name}" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur in="SourceAlpha" stdDeviation="${blur}"/>` +
  `<feOffset dy="${drop}"/><feComponentTransfer><feFuncA type="linear" slope="${strength}"/></feComponentTransfer>` +
  '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>';

export const picture = (drawing, width = WIDTH, height = HEIGHT) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
  `<defs>${liftFilter("low", 3, 4, 0.3)}${liftFilter("high", 7, 9, 0.34)}</defs>${drawing}</svg>`;
