// Rivers.

import { dash, pine, pines, ripple } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, lift, line, many, oval, pen, place, rect, shape, sky, through } from "../shapes.mjs";
import { person } from "../town.mjs";

function riverFromAbove(random) {
  const course = [
    [-60, 520],
    [140, 430],
    [330, 500],
    [480, 360],
    [420, 200],
    [620, 110],
    [800, 220],
    [760, 400],
    [930, 500],
    [1080, 380],
    [1010, 200],
    [1130, 60],
    [1280, 20],
  ];
  const tints = [c.lime, c.leaf, c.wheat, c.moss, c.tan, c.sand, c.fern, "#c9c47e"];
  const fields = [];
  for (let x = -20; x < 1220; x += 200)
    for (let y = -30; y < 660; y += 165) {
      const [w, h] = [188, 153];
      const fill = random.pick(tints);
      const rows = random.chance(0.5)
        ? many(4, (i) => line(x + 34 + i * 40, y + 16, x + 34 + i * 40, y + h - 16, c.pine, 7, { see: 0.14 }))
        : random.chance(0.4)
          ? many(6, () => circle(x + random.between(20, 130), y + random.between(20, 100), 12, c.pine, { see: 0.8 }))
          : "";
      fields.push(rect(x, y, w, h, fill, { round: 10 }) + rows);
    }
  return (
    ground(c.paper) +
    `<g transform="rotate(-8 600 315) scale(1.12) translate(-60 -30)">${fields.join("")}</g>` +
    lift(pen(through(course), c.cream, 108)) +
    pen(through(course), c.aqua, 88) +
    pen(through(course), c.teal, 58) +
    [
      [60, 462],
      [250, 480],
      [420, 440],
      [452, 270],
      [800, 300],
      [790, 210],
      [850, 470],
      [1010, 470],
      [1050, 290],
      [1030, 150],
      [1160, 56],
    ]
      .map(([x, y]) => ripple(x, y, 46, c.mist))
      .join("") +
    lift(
      place(610, 116, cut("M-66 0C-40 -30 30 -30 70 0C30 30 -40 30 -66 0Z", c.vermilion) + oval(0, 0, 34, 13, c.cream), { turn: -14 }),
      "high",
    ) +
    lift(
      rect(120, 120, 74, 54, c.cream) +
        shape(
          [
            [108, 120],
            [157, 78],
            [206, 120],
          ],
          c.brick,
        ),
    )
  );
}

function canoeInTheGorge(random) {
  const wall = (points, fill) => lift(cut(`${through(points)}Z`, fill));
  return (
    sky("#f6d9ae", c.cream) +
    circle(600, 190, 92, c.honey, { see: 0.9 }) +
    pines(random, 14, 300, 50, 90, "#7ca39b", 380, 830) +
    rect(0, 300, 1200, 330, c.teal) +
    wall(
      [
        [-40, -40],
        [300, -40],
        [420, 40],
        [390, 160],
        [460, 270],
        [480, 316],
        [-40, 320],
      ],
      "#c8774f",
    ) +
    wall(
      [
        [-40, -40],
        [170, -40],
        [270, 60],
        [230, 200],
        [310, 310],
        [330, 360],
        [-40, 360],
      ],
      "#a9563a",
    ) +
    wall(
      [
        [-40, 100],
        [90, 130],
        [130, 260],
        [190, 360],
        [200, 420],
        [-40, 420],
      ],
      c.rust,
    ) +
    wall(
      [
        [1240, -40],
        [880, -40],
        [800, 80],
        [830, 200],
        [750, 290],
        [730, 316],
        [1240, 320],
      ],
      "#c8774f",
    ) +
    wall(
      [
        [1240, -40],
        [1030, -40],
        [960, 90],
        [990, 220],
        [900, 320],
        [880, 360],
        [1240, 360],
      ],
      "#a9563a",
    ) +
    wall(
      [
        [1240, 150],
        [1110, 190],
        [1080, 320],
        [1020, 380],
        [1010, 420],
        [1240, 420],
      ],
      c.rust,
    ) +
    cut("M0 400Q300 380 600 402T1200 395V630H0Z", c.sea, { see: 0.7 }) +
    cut("M0 500Q300 480 600 500T1200 500V630H0Z", c.deep) +
    many(8, (i) => dash(600 + (i % 2 ? 20 : -20), 322 + i * 16, 110 - i * 6, c.honey, 5, 0.8)) +
    place(
      620,
      470,
      line(110, -150, -130, 40, c.wood, 9) +
        oval(-144, 52, 15, 40, c.wood, { turn: [52, -144, 52] }) +
        place(0, 78, person({ h: 240, coat: c.ochre, arm: "front", hat: c.ink })),
    ) +
    lift(cut("M360 430Q400 486 470 492H790Q860 486 900 426Q920 560 800 566H460Q340 560 360 430Z", c.vermilion), "high") +
    cut("M372 500Q400 540 470 542H790Q860 540 889 496Q886 562 800 566H460Q376 560 372 500Z", c.brick) +
    dash(420, 594, 240, c.aqua) +
    dash(800, 606, 260, c.aqua) +
    pine(60, 130, 110, c.pine) +
    pine(1120, 190, 120, c.pine) +
    pine(1180, 170, 90, c.pine)
  );
}

export default { river: [riverFromAbove, canoeInTheGorge] };
