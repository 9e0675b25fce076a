// Looms and half-woven cloth.

import { c } from "../palette.mjs";
import { circle, cut, ground, lift, line, many, pen, place, rect, shape } from "../shapes.mjs";

const diamonds = (x, y, w, h, count, fill, heart) =>
  rect(x, y, w, h, heart) +
  many(count, (i) => {
    const [cx, s] = [x + (i + 0.5) * (w / count), w / count / 2];
    return (
      shape(
        [
          [cx, y + 4],
          [cx + s, y + h / 2],
          [cx, y + h - 4],
          [cx - s, y + h / 2],
        ],
        fill,
      ) +
      shape(
        [
          [cx, y + h * 0.28],
          [cx + s * 0.5, y + h / 2],
          [cx, y + h * 0.72],
          [cx - s * 0.5, y + h / 2],
        ],
        heart,
      )
    );
  });

const zigzag = (x, y, w, h, count, fill, back) =>
  rect(x, y, w, h, back) +
  shape(
    [
      ...Array.from({ length: count * 2 + 1 }, (_, i) => [x + (i * w) / (count * 2), y + (i % 2 ? 4 : h * 0.62)]),
      ...Array.from({ length: count * 2 + 1 }, (_, i) => [x + w - (i * w) / (count * 2), y + (i % 2 ? h * 0.38 : h - 4)]),
    ],
    fill,
  );

const steps = (x, y, w, h, count, fill, back) =>
  rect(x, y, w, h, back) +
  many(count, (i) => {
    const s = w / count;
    return many(3, (k) => rect(x + i * s + s * 0.14 * k + s * 0.06, y + h - (h / 3) * (k + 1), s * (0.88 - 0.28 * k), h / 3 + 0.5, fill));
  });

function uprightLoom() {
  return (
    ground("#d9a55c") +
    rect(0, 0, 1200, 540, "#e3b36d") +
    rect(0, 540, 1200, 90, c.oak) +
    many(8, (i) => line(i * 160, 540, i * 160 - 60, 630, c.brown, 3, { see: 0.5 })) +
    lift(
      rect(310, 20, 34, 580, c.bark) + rect(856, 20, 34, 580, c.bark) + rect(280, 50, 640, 34, c.brown) + rect(280, 520, 640, 34, c.brown),
      "high",
    ) +
    rect(360, 84, 480, 440, "#f0d9a8") +
    many(32, (i) => line(368 + i * 15, 84, 368 + i * 15, 330, c.cream, 5)) +
    lift(rect(360, 318, 480, 206, c.deep)) +
    steps(360, 318, 480, 40, 8, c.honey, c.deep) +
    rect(360, 358, 480, 10, c.cream) +
    diamonds(360, 368, 480, 66, 6, c.vermilion, c.cream) +
    rect(360, 434, 480, 10, c.ochre) +
    zigzag(360, 444, 480, 50, 8, c.honey, c.teal) +
    rect(360, 494, 480, 30, c.plum) +
    lift(rect(330, 190, 540, 16, c.wood, { round: 8 })) +
    lift(rect(330, 236, 540, 12, c.wood, { round: 6 })) +
    lift(place(760, 292, cut("M-70 0Q0 -26 70 0Q0 26 -70 0Z", c.oak) + rect(-26, -7, 52, 14, c.cream, { round: 6 }))) +
    pen("M700 292Q560 300 366 318", c.honey, 4) +
    [
      [120, 560, 56, c.teal, c.sea],
      [200, 576, 46, c.cream, c.tan],
      [70, 590, 36, c.deep, c.blue],
      [1010, 566, 54, c.ochre, c.amber],
      [1110, 560, 60, c.plum, c.violet],
      [1060, 600, 34, c.cream, c.tan],
    ]
      .map(
        ([x, y, r, a, b]) =>
          lift(circle(x, y, r, a)) +
          many(4, (i) =>
            pen(
              `M${x - r * 0.8} ${y - r * 0.3 + i * r * 0.24}Q${x} ${y - r * 0.9 + i * r * 0.34} ${x + r * 0.8} ${y - r * 0.2 + i * r * 0.2}`,
              b,
              r * 0.07,
            ),
          ),
      )
      .join("") +
    rect(60, 90, 180, 12, c.bark) +
    [c.vermilion, c.teal, c.cream, c.plum]
      .map((fill, i) => lift(cut(`M${84 + i * 42} 102q-20 90 0 150q14 20 22 0q18 -70 0 -150Z`, i ? fill : c.clay)))
      .join("") +
    rect(960, 90, 180, 12, c.bark) +
    [c.ochre, c.deep, c.blush, c.moss]
      .map((fill, i) => lift(cut(`M${984 + i * 42} 102q-20 90 0 150q14 20 22 0q18 -70 0 -150Z`, fill)))
      .join("")
  );
}

function clothHalfWoven() {
  return (
    ground(c.night) +
    many(30, (i) => line(20 + i * 40, -10, 20 + i * 40, 300, i % 2 ? c.sand : c.cream, 11)) +
    lift(rect(-10, 96, 1220, 26, c.wood, { round: 8 })) +
    many(15, (i) => rect(i * 80 + 35, 110, 10, 60, c.oak)) +
    lift(rect(-10, 160, 1220, 22, c.wood, { round: 8 })) +
    lift(rect(-10, 292, 1220, 350, c.brick), "high") +
    rect(0, 292, 1200, 14, c.cream) +
    steps(0, 306, 1200, 60, 6, c.teal, c.sand) +
    rect(0, 366, 1200, 12, c.ink) +
    diamonds(0, 378, 1200, 116, 6, c.honey, c.brick) +
    rect(0, 494, 1200, 12, c.ink) +
    zigzag(0, 506, 1200, 70, 6, c.cream, c.deep) +
    rect(0, 576, 1200, 12, c.honey) +
    steps(0, 588, 1200, 46, 6, c.ochre, c.plum) +
    many(6, (i) =>
      place(
        100 + i * 200,
        436,
        shape(
          [
            [0, -24],
            [32, 0],
            [0, 24],
            [-32, 0],
          ],
          c.teal,
        ) +
          shape(
            [
              [0, -10],
              [13, 0],
              [0, 10],
              [-13, 0],
            ],
            c.cream,
          ),
      ),
    ) +
    lift(
      place(
        690,
        236,
        cut("M-250 0Q-180 -54 0 -54T250 0Q180 54 0 54T-250 0Z", c.vermilion) +
          rect(-130, -28, 260, 56, c.bark, { round: 28 }) +
          rect(-96, -22, 192, 44, c.cream, { round: 12 }) +
          many(13, (i) => line(-90 + i * 15, -20, -82 + i * 15, 20, c.tan, 3)),
        { turn: -5 },
      ),
      "high",
    ) +
    pen("M560 254Q300 260 -10 290", c.cream, 5)
  );
}

export default { loom: [uprightLoom, clothHalfWoven] };
