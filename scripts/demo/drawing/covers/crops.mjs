// Corn and tomatoes.

import { frond, hills, leafShape, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";

const cob = (l, fill, dark) => {
  const body = `M0 ${-l}C${l * 0.26} ${-l * 0.9} ${l * 0.27} ${-l * 0.2} ${l * 0.12} 0H${-l * 0.12}C${-l * 0.27} ${-l * 0.2} ${-l * 0.26} ${-l * 0.9} 0 ${-l}Z`;
  return inside(
    cut(body, fill),
    cut(body, dark) +
      many(17, (row) => many(7, (i) => rect((i - 3.5) * l * 0.066 + 1, -l + row * l * 0.061, l * 0.055, l * 0.05, fill, { round: 5 }))),
  );
};

const husk = (l, a, b) =>
  place(
    0,
    20,
    cut(
      `M0 0C${-l * 0.42} ${-l * 0.2} ${-l * 0.3} ${-l * 0.6} ${-l * 0.22} ${-l * 0.78}C${-l * 0.12} ${-l * 0.5} ${-l * 0.02} ${-l * 0.2} 0 0Z`,
      a,
    ) +
      cut(
        `M0 0C${l * 0.42} ${-l * 0.2} ${l * 0.3} ${-l * 0.6} ${l * 0.22} ${-l * 0.78}C${l * 0.12} ${-l * 0.5} ${l * 0.02} ${-l * 0.2} 0 0Z`,
        a,
      ) +
      cut(
        `M0 ${l * 0.04}C${-l * 0.2} ${-l * 0.1} ${-l * 0.14} ${-l * 0.34} 0 ${-l * 0.46}C${l * 0.14} ${-l * 0.34} ${l * 0.2} ${-l * 0.1} 0 ${l * 0.04}Z`,
        b,
      ) +
      line(0, 0, 0, l * 0.12, b, l * 0.07),
  );

function fiveCobs() {
  const cobs = [
    [150, 520, 400, c.honey, c.ochre, -12],
    [370, 550, 430, c.cream, c.tan, -5],
    [600, 560, 470, c.vermilion, c.brick, 0],
    [830, 550, 430, "#4b5f86", c.night, 5],
    [1050, 520, 400, c.honey, c.ochre, 12],
  ];
  return (
    ground("#2b6a66") +
    circle(600, 330, 300, "#347671") +
    cobs.map(([x, y, l, fill, dark, turn]) => lift(place(x, y, cob(l, fill, dark) + husk(l, c.leaf, c.lime), { turn }), "high")).join("")
  );
}

function cornfieldPath(random) {
  const stalk = (h) =>
    line(0, 0, 0, -h, c.moss, h * 0.03) +
    many(4, (i) =>
      pen(
        `M0 ${-h * (0.2 + i * 0.19)}q${(i % 2 ? 1 : -1) * h * 0.16} ${-h * 0.18} ${(i % 2 ? 1 : -1) * h * 0.3} ${-h * 0.02}`,
        i % 2 ? c.fern : c.leaf,
        h * 0.045,
      ),
    ) +
    pen(`M0 ${-h}l${-h * 0.06} ${-h * 0.12}M0 ${-h}v${-h * 0.15}M0 ${-h}l${h * 0.06} ${-h * 0.12}`, c.ochre, h * 0.02) +
    place(
      h * 0.05,
      -h * 0.42,
      lift(oval(0, 0, h * 0.045, h * 0.12, c.honey, { turn: 16 })) +
        cut(`M${-h * 0.06} ${h * 0.12}Q${-h * 0.07} 0 0 ${-h * 0.02}Q${h * 0.03} ${h * 0.1} ${-h * 0.01} ${h * 0.14}Z`, c.moss),
    );
  const rows = [
    [330, 70, 40],
    [370, 120, 62],
    [430, 190, 92],
    [520, 290, 138],
    [640, 400, 196],
  ];
  return (
    sky("#f0b56f", "#f5d39b", c.cream) +
    sun(600, 240, 100, c.cream, [210, 150], c.honey) +
    hills(random, 300, 16, "#c9a45c", 5) +
    lift(
      rect(700, 226, 90, 80, c.vermilion) +
        shape(
          [
            [690, 230],
            [714, 186],
            [776, 186],
            [800, 230],
          ],
          c.brown,
        ),
    ) +
    rect(730, 262, 30, 44, c.cream) +
    lift(rect(806, 200, 34, 106, c.frost) + cut("M806 202a17 17 0 0 1 34 0Z", c.steel)) +
    rect(0, 300, 1200, 330, c.fern) +
    shape(
      [
        [590, 300],
        [612, 300],
        [800, 630],
        [400, 630],
      ],
      c.tan,
    ) +
    shape(
      [
        [596, 300],
        [600, 300],
        [620, 630],
        [520, 630],
      ],
      c.sand,
    ) +
    rows
      .map(([y, h, step]) =>
        many(9, (i) =>
          (y - 300) * 0.62 + 24 + i * step > 700
            ? ""
            : place(600 + ((y - 300) * 0.66 + 26 + i * step), y, stalk(h * random.between(0.92, 1.06))) +
              place(600 - ((y - 300) * 0.66 + 26 + i * step), y, stalk(h * random.between(0.92, 1.06)), { flip: true }),
        ),
      )
      .join("")
  );
}

function tomatoVine() {
  const fruit = (x, y, r, fill, dark) =>
    lift(oval(x, y, r * 1.06, r, fill)) +
    pen(`M${x - r * 0.72} ${y + r * 0.24}Q${x - r * 0.8} ${y - r * 0.4} ${x - r * 0.3} ${y - r * 0.68}`, c.cream, r * 0.1, { see: 0.5 }) +
    many(5, (i) => place(x, y - r * 0.78, leafShape(r * 0.62, r * 0.13, dark), { turn: 90 + (i - 2) * 46 })) +
    line(x, y - r * 0.76, x, y - r * 1.2, dark, r * 0.12);
  const leafy = (x, y, s, turn) => place(x, y, frond(150, c.moss, 4, 0.5), { scale: s, turn });
  return (
    ground("#24535c") +
    circle(640, 300, 330, "#2c626a") +
    many(3, (i) => line(400 + i * 210, 640, 400 + i * 210, -10, c.wood, 14)) +
    pen("M400 640C360 500 470 420 410 300S450 120 400 -20", c.fern, 13) +
    pen("M610 640C660 520 560 400 620 280S570 120 620 -20", c.fern, 13) +
    pen("M820 640C790 500 880 400 810 280S850 100 820 -20", c.fern, 13) +
    [
      [410, 520, 1.1, -70],
      [420, 400, 1.2, 60],
      [400, 260, 1.2, -60],
      [430, 130, 1.1, 70],
      [610, 540, 1, 70],
      [600, 400, 1.1, -64],
      [610, 240, 1.1, 64],
      [590, 120, 1, -64],
      [820, 520, 1.2, 64],
      [830, 390, 1.2, -60],
      [820, 260, 1.2, 64],
      [830, 120, 1.1, -50],
    ]
      .map((v) => leafy(...v))
      .join("") +
    fruit(330, 300, 74, c.vermilion, c.fern) +
    fruit(490, 220, 46, c.apricot, c.fern) +
    fruit(500, 480, 76, c.clay, c.fern) +
    fruit(330, 530, 48, c.lime, c.fern) +
    fruit(690, 340, 84, c.vermilion, c.fern) +
    fruit(700, 130, 50, c.lime, c.fern) +
    fruit(900, 230, 64, c.clay, c.fern) +
    fruit(730, 560, 56, c.apricot, c.fern) +
    fruit(910, 470, 72, c.vermilion, c.fern) +
    lift(cut("M1010 640L1030 470H1180L1200 640Z", c.wood)) +
    many(3, (i) => rect(1020, 490 + i * 50, 180, 14, c.oak)) +
    fruit(1070, 450, 50, c.vermilion, c.fern) +
    fruit(1150, 456, 44, c.apricot, c.fern) +
    lift(rect(60, 420, 120, 170, c.sand, { round: 6 })) +
    rect(60, 450, 120, 60, c.deep) +
    circle(120, 480, 20, c.ochre) +
    place(120, 424, frond(130, c.moss, 5, 0.4))
  );
}

export default { corn: [fiveCobs, cornfieldPath], tomatoes: [tomatoVine] };
