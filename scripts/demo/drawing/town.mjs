// Built pieces: houses, city blocks, street lamps, people.
import { c } from "./palette.mjs";
import { circle, cut, glow, lift, line, many, oval, pen, place, rect, shape } from "./shapes.mjs";

export const smallWindow = (x, y, w, h, lit = c.honey, bars = c.ink) =>
  rect(x, y, w, h, lit) + rect(x + w / 2 - 1.5, y, 3, h, bars) + rect(x, y + h / 2 - 1.5, w, 3, bars);

export const archDoor = (x, foot, w, h, fill) =>
  cut(`M${x - w / 2} ${foot}v${-h + w / 2}a${w / 2} ${w / 2} 0 0 1 ${w} 0v${h - w / 2}Z`, fill);

// A gabled house standing on 'foot', centred on x.
export function house(x, foot, w, h, wall, roof, { door = c.ink, lit = c.honey, chimney = true, windows = 1 } = {}) {
  const left = x - w / 2;
  const side = w * 0.22;
  return (
    lift(
      (chimney ? rect(x + w * 0.2, foot - h - w * 0.44, w * 0.11, w * 0.34, roof) : "") +
        rect(left, foot - h, w, h, wall) +
        shape(
          [
            [left - w * 0.1, foot - h],
            [x, foot - h - w * 0.52],
            [left + w * 1.1, foot - h],
          ],
          roof,
        ),
    ) +
    archDoor(x + w * 0.22, foot, side, h * 0.52, door) +
    many(windows, (i) => smallWindow(left + w * 0.16, foot - h * 0.78 + i * h * 0.4, side, side, lit))
  );
}

// A city block with a grid of windows, some lit.
export function block(random, x, foot, w, h, wall, { lit = c.honey, dark = null, size = 12, gap = 24, odds = 0.5 } = {}) {
  const columns = Math.max(1, Math.floor((w - gap * 0.6) / gap));
  const rows = Math.floor((h - gap * 0.6) / (gap * 1.15));
  const start = x + (w - (columns - 1) * gap - size) / 2;
  let panes = "";
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const on = random.chance(odds);
      if (on || dark) panes += rect(start + column * gap, foot - h + gap * 0.6 + row * gap * 1.15, size, size * 1.3, on ? lit : dark);
    }
  return rect(x, foot - h, w, h, wall) + panes;
}

export function skyline(random, foot, low, high, wall, options = {}) {
  let text = "";
  for (let x = -20; x < 1220; ) {
    const w = random.between(60, 130);
    const h = random.between(low, high);
    text += block(random, x, foot, w, h, wall, options);
    if (random.chance(0.3)) text += line(x + w / 2, foot - h, x + w / 2, foot - h - 34, wall, 4);
    x += w + random.pick([0, 0, 8]);
  }
  return text;
}

export const streetLamp = (x, foot, h, post = c.ink, light = c.honey, reach = 150) =>
  glow(x, foot - h + 10, reach, light, 0.55) +
  line(x, foot, x, foot - h + 34, post, 8) +
  rect(x - 14, foot - 14, 28, 14, post, { round: 3 }) +
  shape(
    [
      [x - 13, foot - h + 34],
      [x - 20, foot - h],
      [x + 20, foot - h],
      [x + 13, foot - h + 34],
    ],
    light,
  ) +
  shape(
    [
      [x - 26, foot - h],
      [x, foot - h - 20],
      [x + 26, foot - h],
    ],
    post,
  );

// A standing person, feet at 0,0.
export function person({
  h = 200,
  coat = c.teal,
  skin = "#c98d68",
  hair = c.ink,
  trousers = c.ink,
  arm = "down",
  hat,
  skirt = false,
  bag,
} = {}) {
  const head = h * 0.105;
  const top = -h * 0.76;
  const w = h * 0.13;
  const sleeve = { down: [w * 0.95, -h * 0.42], front: [w * 2, -h * 0.62], up: [w * 1.7, -h * 0.95], hip: [w * 1.1, -h * 0.48] }[arm];
  const legs =
    line(-w * 0.42, -h * 0.35, -w * 0.46, -h * 0.02, trousers, w * 0.62) +
    line(w * 0.42, -h * 0.35, w * 0.5, -h * 0.02, trousers, w * 0.62);
  const body = skirt
    ? cut(`M${-w * 0.7} ${top}Q0 ${top - h * 0.05} ${w * 0.7} ${top}L${w * 1.5} ${-h * 0.18}H${-w * 1.5}Z`, coat)
    : cut(
        `M${-w} ${-h * 0.3}L${-w * 0.95} ${top + h * 0.05}Q${-w * 0.9} ${top - h * 0.02} 0 ${top - h * 0.02}Q${w * 0.9} ${top - h * 0.02} ${w * 0.95} ${top + h * 0.05}L${w} ${-h * 0.3}Z`,
        coat,
      );
  const reach =
    circle(sleeve[0], sleeve[1], w * 0.32, skin) +
    line(w * 0.55, top + h * 0.06, sleeve[0] * 0.98, sleeve[1] - (arm === "up" ? -h * 0.03 : h * 0.02), coat, w * 0.58);
  const face = rect(-w * 0.28, top - h * 0.05, w * 0.56, h * 0.06, skin) + circle(0, top - head * 0.95, head * 0.92, skin);
  const cap = hat
    ? oval(0, top - head * 1.35, head * 1.5, head * 0.3, hat) +
      cut(`M${-head * 0.85} ${top - head * 1.4}q0 ${-head * 1.1} ${head * 0.85} ${-head * 1.1}t${head * 0.85} ${head * 1.1}Z`, hat)
    : cut(
        `M${-head} ${top - head * 0.8}A${head} ${head * 1.05} 0 0 1 ${head} ${top - head * 0.9}Q${head * 0.3} ${top - head * 1.1} ${-head * 0.2} ${top - head * 1.4}Q${-head * 0.6} ${top - head * 1.0} ${-head} ${top - head * 0.8}Z`,
        hair,
      );
  const carried = bag
    ? line(-w * 0.6, top + h * 0.06, w, -h * 0.42, bag, w * 0.16) + rect(w * 0.5, -h * 0.46, w * 1.1, w * 0.95, bag, { round: 4 })
    : "";
  return legs + body + face + cap + carried + reach;
}

export const awning = (x, y, w, h, stripes, colours) =>
  lift(
    many(stripes, (i) => {
      const size = w / stripes;
      return cut(`M${x + i * size} ${y}h${size}v${h - size / 2}a${size / 2} ${size / 2} 0 0 1 ${-size} 0Z`, colours[i % colours.length]);
    }),
  );

export const bunting = (y, sag, count, colours, string = c.ink, size = 46) => {
  const at = (t) => y + sag * 4 * t * (1 - t);
  return (
    pen(`M0 ${y}Q600 ${y + sag * 2} 1200 ${y}`, string, 3) +
    many(count, (i) => {
      const t = (i + 0.5) / count;
      return place(
        t * 1200,
        at(t),
        shape(
          [
            [-size / 2, 0],
            [size / 2, 0],
            [0, size * 1.15],
          ],
          colours[i % colours.length],
        ),
        { turn: (t - 0.5) * -sag * 0.24 },
      );
    })
  );
};
