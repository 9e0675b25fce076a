// Forests.

import { frond, hills, leafShape, roundTree } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, lift, line, many, pen, place, shape, sky } from "../shapes.mjs";
import { person } from "../town.mjs";

function amongTallTrunks(random) {
  const trunks = (count, low, high, fill, shift) =>
    many(count, (i) => {
      const x = ((i + random.between(0.2, 0.8)) * 1240) / count - 20 + shift;
      const w = random.between(low, high);
      return shape(
        [
          [x - w / 2, -10],
          [x + w / 2, -10],
          [x + w * 0.62, 640],
          [x - w * 0.62, 640],
        ],
        fill,
      );
    });
  const near = [
    [60, 96],
    [300, 60],
    [960, 70],
    [1130, 110],
  ]
    .map(
      ([x, w]) =>
        lift(
          shape(
            [
              [x - w / 2, -10],
              [x + w / 2, -10],
              [x + w * 0.7, 640],
              [x - w * 0.7, 640],
            ],
            "#122826",
          ),
        ) + many(4, (i) => line(x - w * 0.2 + i * w * 0.14, 90 + i * 120, x - w * 0.2 + i * w * 0.14, 160 + i * 120, c.pine, 4)),
    )
    .join("");
  return (
    sky("#dfe3c2", "#b9cba9", "#86a78d") +
    circle(640, 210, 130, c.cream, { see: 0.8 }) +
    trunks(19, 12, 22, "#9fb999", 0) +
    hills(random, 480, 14, "#7fa086", 6) +
    trunks(12, 24, 36, "#5f8877", 20) +
    many(3, (i) =>
      shape(
        [
          [520 + i * 130, 0],
          [600 + i * 130, 0],
          [360 + i * 130, 560],
          [220 + i * 130, 560],
        ],
        c.cream,
        { see: 0.22 },
      ),
    ) +
    hills(random, 520, 14, c.pine, 6) +
    cut("M560 630Q640 560 600 520Q620 500 660 512Q720 560 740 630Z", "#a9bd8f") +
    place(628, 552, person({ h: 150, coat: c.vermilion, hair: c.bark })) +
    near +
    hills(random, 596, 10, c.shade, 7) +
    [
      [150, 630, 150, -12],
      [230, 640, 120, 14],
      [860, 640, 140, -8],
      [1040, 640, 170, 10],
      [420, 650, 110, 6],
    ]
      .map(([x, y, h, t], i) => place(x, y, frond(h, [c.moss, c.leaf, c.fern][i % 3], 8), { turn: t }))
      .join("")
  );
}

function foxInAutumn(random) {
  const fills = [c.ochre, c.amber, c.wheat, c.clay, "#b96b33", c.honey];
  const fox =
    pen("M-96 -50C-190 -60 -200 -120 -270 -116", c.vermilion, 52) +
    circle(-268, -116, 27, c.cream) +
    lift(cut("M-120 -20C-130 -120 -40 -110 60 -110Q120 -120 130 -60L120 -20Z", c.vermilion)) +
    [-100, -62, 70, 106]
      .map((x) =>
        shape(
          [
            [x - 14, -50],
            [x + 14, -50],
            [x + 8, 40],
            [x - 6, 40],
          ],
          x < 0 ? c.brick : c.bark,
        ),
      )
      .join("") +
    lift(
      shape(
        [
          [70, -130],
          [92, -214],
          [124, -172],
          [160, -172],
          [190, -214],
          [208, -128],
          [140, -64],
        ],
        c.vermilion,
      ),
    ) +
    shape(
      [
        [72, -126],
        [120, -120],
        [140, -64],
      ],
      c.cream,
    ) +
    shape(
      [
        [207, -126],
        [160, -120],
        [140, -64],
      ],
      c.cream,
    ) +
    circle(112, -138, 7, c.ink) +
    circle(168, -138, 7, c.ink) +
    circle(140, -70, 10, c.ink);
  return (
    sky("#efe0bd", "#e3cf9f") +
    many(11, (i) => roundTree(40 + i * 112, 430, random.between(250, 340), random.pick(["#d9c290", "#cfb27c", "#d7b778"]), "#b08d5c")) +
    hills(random, 430, 10, "#b98a4a", 6) +
    [
      [90, 480, 420],
      [260, 470, 340],
      [870, 474, 360],
      [1010, 490, 440],
      [1150, 480, 370],
      [640, 456, 290],
      [450, 460, 320],
    ]
      .map(([x, y, h], i) => roundTree(x, y, h, fills[i % fills.length]))
      .join("") +
    hills(random, 490, 10, c.oak, 5) +
    cut("M0 560Q600 500 1200 570V630H0Z", c.brown) +
    place(590, 560, fox, { scale: 1.15 }) +
    many(60, () =>
      place(random.between(0, 1200), random.between(500, 625), leafShape(20, 8, random.pick(fills)), { turn: random.between(0, 360) }),
    ) +
    many(14, () =>
      place(random.between(0, 1200), random.between(60, 430), leafShape(22, 8, random.pick([c.clay, c.amber, c.ochre])), {
        turn: random.between(0, 360),
      }),
    )
  );
}

export default { forest: [amongTallTrunks, foxInAutumn] };
