// Small household pieces: cups, steam, pots, books, boats.
import { c } from "./palette.mjs";
import { circle, cut, lift, line, many, oval, pen, rect, shape } from "./shapes.mjs";

export const steam = (x, y, h, colour = c.cream, width = 9, see = 0.55) =>
  pen(`M${x} ${y}c${-h * 0.22} ${-h * 0.18} ${h * 0.22} ${-h * 0.32} 0 ${-h * 0.5}s${h * 0.16} ${-h * 0.3} 0 ${-h * 0.5}`, colour, width, {
    see,
  });

export const cup = (x, foot, w, fill, inner = c.ink) => {
  const h = w * 0.72;
  return (
    pen(`M${x + w * 0.44} ${foot - h * 0.8}q${w * 0.36} 0 ${w * 0.3} ${h * 0.28}t${-w * 0.38} ${h * 0.26}`, fill, w * 0.08) +
    cut(
      `M${x - w / 2} ${foot - h}C${x - w / 2} ${foot - h * 0.25} ${x - w * 0.32} ${foot} ${x - w * 0.22} ${foot}H${x + w * 0.22}C${x + w * 0.32} ${foot} ${x + w / 2} ${foot - h * 0.25} ${x + w / 2} ${foot - h}Z`,
      fill,
    ) +
    oval(x, foot - h, w / 2, w * 0.08, inner)
  );
};

export const jar = (x, foot, w, h, glass, content, lid, fullness = 0.7) =>
  rect(x - w / 2, foot - h, w, h, glass, { round: w * 0.14 }) +
  rect(x - w / 2 + 5, foot - 5 - h * fullness, w - 10, h * fullness, content, { round: w * 0.1 }) +
  rect(x - w * 0.42, foot - h - h * 0.13, w * 0.84, h * 0.15, lid, { round: 4 });

export const plantPot = (x, foot, w, h, fill, rim = fill) =>
  shape(
    [
      [x - w * 0.44, foot - h],
      [x + w * 0.44, foot - h],
      [x + w * 0.32, foot],
      [x - w * 0.32, foot],
    ],
    fill,
  ) + rect(x - w / 2, foot - h - h * 0.1, w, h * 0.24, rim, { round: 4 });

export const spine = (x, foot, w, h, fill, band) =>
  rect(x, foot - h, w, h, fill, { round: 3 }) +
  rect(x, foot - h + h * 0.12, w, h * 0.04, band) +
  rect(x, foot - h * 0.2, w, h * 0.04, band) +
  rect(x + w * 0.3, foot - h * 0.66, w * 0.4, h * 0.26, band, { see: 0.85, round: 2 });

export const envelope = (x, y, w, h, fill, fold, seal) =>
  lift(rect(x - w / 2, y - h / 2, w, h, fill, { round: 4 })) +
  shape(
    [
      [x - w / 2, y + h / 2],
      [x, y - h * 0.02],
      [x + w / 2, y + h / 2],
    ],
    fold,
    { see: 0.5 },
  ) +
  lift(
    shape(
      [
        [x - w / 2, y - h / 2],
        [x + w / 2, y - h / 2],
        [x, y + h * 0.1],
      ],
      fill,
    ),
  ) +
  (seal ? circle(x, y + h * 0.06, h * 0.12, seal) : "");

export const lemon = (x, y, r) =>
  lift(circle(x, y, r, c.wheat)) +
  circle(x, y, r * 0.88, c.cream) +
  circle(x, y, r * 0.8, c.honey) +
  many(9, (i) => line(x, y, x + r * 0.78 * Math.cos(i * 0.698), y + r * 0.78 * Math.sin(i * 0.698), c.cream, r * 0.06));

export const fishBody = (x, y, l, fill, fin, eye = c.ink) => {
  const h = l * 0.2;
  return (
    shape(
      [
        [x + l * 0.34, y],
        [x + l * 0.54, y - h * 0.9],
        [x + l * 0.48, y],
        [x + l * 0.54, y + h * 0.9],
      ],
      fin,
    ) +
    cut(`M${x - l * 0.08} ${y - h * 0.8}q${l * 0.12} ${-h * 0.7} ${l * 0.22} ${h * 0.1}Z`, fin) +
    cut(
      `M${x - l * 0.5} ${y}C${x - l * 0.3} ${y - h * 1.35} ${x + l * 0.1} ${y - h * 1.2} ${x + l * 0.4} ${y}C${x + l * 0.1} ${y + h * 1.2} ${x - l * 0.3} ${y + h * 1.35} ${x - l * 0.5} ${y}Z`,
      fill,
    ) +
    pen(`M${x - l * 0.24} ${y - h * 0.72}q${l * 0.07} ${h * 0.72} 0 ${h * 1.44}`, fin, l * 0.014) +
    cut(`M${x - l * 0.12} ${y + h * 0.1}q${l * 0.1} ${h * 0.1} ${l * 0.1} ${h * 0.5}q${-l * 0.1} 0 ${-l * 0.1} ${-h * 0.5}Z`, fin) +
    circle(x - l * 0.35, y - h * 0.15, l * 0.022, eye)
  );
};
