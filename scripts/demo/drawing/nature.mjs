// Outdoor pieces: sky, water, hills, trees, birds.
import { c } from "./palette.mjs";
import { around, circle, cut, HEIGHT, lift, line, many, oval, pen, place, ring, shape, through, WIDTH } from "./shapes.mjs";

export const sun = (x, y, r, fill, rings = [], ringFill = fill) =>
  rings.map((size, i) => circle(x, y, size, ringFill, { see: 0.14 + i * 0.06 })).join("") + circle(x, y, r, fill);

export const fullMoon = (x, y, r, fill = c.paper, spots = c.sand) =>
  lift(circle(x, y, r, fill)) +
  circle(x - r * 0.25, y - r * 0.2, r * 0.14, spots) +
  circle(x + r * 0.2, y + r * 0.32, r * 0.2, spots) +
  circle(x + r * 0.38, y - r * 0.3, r * 0.09, spots) +
  circle(x - r * 0.4, y + r * 0.3, r * 0.08, spots);

export const starField = (random, count, bottom = 350, colour = c.paper) =>
  many(count, () =>
    circle(random.between(10, 1190), random.between(8, bottom), random.pick([1.4, 1.8, 2.4, 3]), colour, {
      see: random.pick([0.5, 0.8, 1]),
    }),
  );

// A hill line from left to right, filled to the bottom.
export function hills(random, y, rise, fill, steps = 6, bottom = HEIGHT) {
  const points = Array.from({ length: steps + 3 }, (_, i) => [((i - 1) * WIDTH) / steps, y + random.between(-rise, rise)]);
  return cut(`${through(points)}L1400 ${bottom}L-200 ${bottom}Z`, fill);
}

// Jagged mountains, filled to the bottom.
export function peaks(random, y, rise, fill, steps = 9, bottom = HEIGHT) {
  const points = [[-60, bottom]];
  for (let i = 0; i <= steps * 4; i += 1) {
    const x = -60 + (i * 1320) / (steps * 4);
    const climb = i % 4 === 0 ? random.between(-0.1, 0.3) : i % 4 === 2 ? random.between(-1, -0.45) : random.between(-0.5, -0.15);
    points.push([x + random.between(-10, 10), y + climb * rise]);
  }
  points.push([1260, bottom]);
  return shape(points, fill);
}

// Regular waves, filled to the bottom.
export function waves(y, height, length, fill, shift = 0, bottom = HEIGHT) {
  let d = `M${-length * 2 + shift} ${y}`;
  for (let x = -length * 2 + shift; x < WIDTH + length; x += length) d += `q${length / 4} ${-height} ${length / 2} 0t${length / 2} 0`;
  return cut(`${d}V${bottom}H-400Z`, fill);
}

export const ripple = (x, y, w, colour, width = 4, see = 0.7) =>
  pen(`M${x - w / 2} ${y}q${w / 8} -7 ${w / 4} 0t${w / 4} 0t${w / 4} 0t${w / 4} 0`, colour, width, { see });
export const dash = (x, y, w, colour, width = 4, see = 0.8) => line(x - w / 2, y, x + w / 2, y, colour, width, { see });

export function pine(x, foot, h, fill) {
  const w = h * 0.4;
  const tier = (top, bottom, half) =>
    shape(
      [
        [x, foot - h * top],
        [x + half, foot - h * bottom],
        [x - half, foot - h * bottom],
      ],
      fill,
    );
  return (
    line(x, foot, x, foot - h * 0.2, fill, h * 0.06) + tier(1, 0.66, w * 0.28) + tier(0.82, 0.42, w * 0.4) + tier(0.62, 0.12, w * 0.52)
  );
}
export const pines = (random, count, foot, low, high, fill, from = 0, to = WIDTH) =>
  many(count, (i) =>
    pine(from + ((i + random.between(0.1, 0.9)) * (to - from)) / count, foot + random.between(-8, 8), random.between(low, high), fill),
  );

export const roundTree = (x, foot, h, fill, trunk = c.bark) =>
  line(x, foot, x, foot - h * 0.6, trunk, h * 0.05) +
  line(x, foot - h * 0.3, x + h * 0.1, foot - h * 0.45, trunk, h * 0.03) +
  lift(oval(x, foot - h * 0.66, h * 0.26, h * 0.34, fill));

export const leafShape = (length, width, fill, vein) =>
  cut(
    `M0 0C${width} ${-length * 0.25} ${width} ${-length * 0.7} 0 ${-length}C${-width} ${-length * 0.7} ${-width} ${-length * 0.25} 0 0Z`,
    fill,
  ) + (vein ? line(0, -length * 0.06, 0, -length * 0.85, vein, Math.max(1.5, length * 0.03)) : "");

// A stem with paired leaves, growing up from 0,0.
export const frond = (h, fill, pairs = 8, size = 0.24) =>
  line(0, 0, 0, -h, fill, Math.max(3, h * 0.02)) +
  many(pairs, (i) => {
    const t = 0.12 + (i / pairs) * 0.84;
    const leaf = leafShape(h * size * (1.1 - t * 0.7), h * size * 0.24 * (1.1 - t * 0.7), fill);
    return place(0, -h * t, leaf, { turn: 52 }) + place(0, -h * t, leaf, { turn: -52 });
  }) +
  place(0, -h, leafShape(h * 0.12, h * 0.03, fill));

export const grass = (random, count, foot, low, high, fill, from = 0, to = WIDTH) =>
  many(count, (i) => {
    const x = from + ((i + random.between(0, 1)) * (to - from)) / count;
    const h = random.between(low, high);
    const lean = random.between(-h * 0.3, h * 0.3);
    return cut(`M${x - 4} ${foot}Q${x} ${foot - h * 0.6} ${x + lean} ${foot - h}Q${x + 4} ${foot - h * 0.5} ${x + 5} ${foot}Z`, fill);
  });

export const gull = (x, y, w, colour = c.ink, width = 3.5) =>
  pen(
    `M${x - w} ${y - w * 0.1}Q${x - w * 0.5} ${y - w * 0.55} ${x} ${y}Q${x + w * 0.5} ${y - w * 0.55} ${x + w} ${y - w * 0.1}`,
    colour,
    width,
  );

export const cloud = (x, y, w, fill, extra) =>
  cut(
    `M${x - w * 0.5} ${y}a${w * 0.13} ${w * 0.13} 0 0 1 ${w * 0.08} -${w * 0.24}` +
      `a${w * 0.19} ${w * 0.19} 0 0 1 ${w * 0.34} -${w * 0.1}a${w * 0.17} ${w * 0.17} 0 0 1 ${w * 0.33} ${w * 0.09}a${w * 0.13} ${w * 0.13} 0 0 1 ${w * 0.1} ${w * 0.25}Z`,
    fill,
    extra,
  );

export const rainfall = (random, count, colour, { length = 40, lean = -10, width = 2.5, see = 0.6, top = 0, bottom = HEIGHT } = {}) =>
  many(count, () => {
    const [x, y, s] = [random.between(0, 1240), random.between(top, bottom), random.between(0.6, 1.2)];
    return line(x, y, x + lean * s, y + length * s, colour, width, { see });
  });
export const snowfall = (random, count, bottom = HEIGHT) =>
  many(count, () =>
    circle(random.between(0, 1200), random.between(0, bottom), random.pick([1.8, 2.6, 3.6, 4.4]), c.snow, { see: random.pick([0.6, 0.9]) }),
  );

export const flower = (r, petals, fill, heart) =>
  many(petals, (i) => {
    const [x, y] = around(0, 0, r * 0.6, (i * 360) / petals);
    return circle(x, y, r * 0.46, fill);
  }) + circle(0, 0, r * 0.4, heart);

export const halo = (x, y, sizes, colour, width = 3, see = 0.5) => sizes.map((r) => ring(x, y, r, colour, width, { see })).join("");
