// Gardens and allotments.

import { cloud, flower, frond, grass, hills, leafShape, roundTree } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { plantPot } from "../things.mjs";
import { house, person, smallWindow } from "../town.mjs";

const hollyhock = (h, petal, heart) =>
  line(0, 0, 0, -h, c.fern, 6) +
  many(4, (i) => place(0, -30 - i * 34, leafShape(70 - i * 8, 20, i % 2 ? c.moss : c.leaf), { turn: i % 2 ? 60 : -60 })) +
  many(6, (i) => place(i % 2 ? 12 : -12, -h * 0.42 - i * h * 0.105, flower(30 - i * 3, 6, petal, heart)));

const daisy = (h, petal, heart) =>
  line(0, 0, 0, -h, c.fern, 5) +
  place(0, -h * 0.3, leafShape(50, 14, c.moss), { turn: 50 }) +
  place(0, -h * 0.4, leafShape(44, 12, c.leaf), { turn: -50 }) +
  place(0, -h, flower(30, 9, petal, heart));

function gateInTheHedge(random) {
  const tall = [
    [60, 330, c.blush, c.cream],
    [150, 390, c.cream, c.ochre],
    [250, 300, c.wheat, c.amber],
    [340, 240, c.blush, c.mauve],
    [860, 250, c.wheat, c.amber],
    [950, 330, c.cream, c.ochre],
    [1050, 400, c.blush, c.cream],
    [1140, 310, c.wheat, c.brown],
  ];
  return (
    sky("#cfe0d6", "#eee9d2") +
    cloud(930, 100, 200, c.cream) +
    roundTree(150, 420, 380, "#8fae8d", c.oak) +
    roundTree(1050, 420, 400, "#8fae8d", c.oak) +
    lift(
      rect(-10, 250, 430, 260, c.fern, { round: 30 }) +
        rect(780, 250, 430, 260, c.fern, { round: 30 }) +
        cut("M380 510V260A220 220 0 0 1 820 260V510H740V280A140 140 0 0 0 460 280V510Z", c.fern),
      "high",
    ) +
    many(90, () => {
      const side = random.chance(0.5);
      return place(
        random.between(side ? 0 : 790, side ? 410 : 1200),
        random.between(262, 420),
        leafShape(18, 6, random.pick([c.moss, c.pine])),
        { turn: random.between(0, 360) },
      );
    }) +
    inside(
      cut("M460 510V280A140 140 0 0 1 740 280V510Z", c.ink),
      rect(450, 130, 300, 390, "#dfe6c8") +
        hills(random, 360, 12, c.lime, 8) +
        hills(random, 400, 10, c.leaf, 8) +
        house(640, 388, 70, 44, c.cream, c.deep),
    ) +
    cut("M0 500H1200V630H0Z", c.moss) +
    shape(
      [
        [500, 500],
        [700, 500],
        [800, 630],
        [400, 630],
      ],
      c.sand,
    ) +
    many(4, (i) => line(490 - i * 26, 520 + i * 32, 710 + i * 26, 520 + i * 32, c.tan, 5)) +
    lift(
      many(6, (i) =>
        rect(468 + i * 46, 352 - Math.sin((i / 5) * Math.PI) * 34, 32, 150 + Math.sin((i / 5) * Math.PI) * 34, c.vermilion, { round: 6 }),
      ) +
        rect(462, 392, 276, 16, c.brick) +
        rect(462, 462, 276, 16, c.brick),
    ) +
    circle(720, 430, 7, c.honey) +
    tall.map(([x, h, petal, heart]) => place(x, 600, hollyhock(h, petal, heart))).join("") +
    many(16, (i) =>
      i > 5 && i < 10 ? "" : place(30 + i * 76, 640, daisy(random.between(60, 110), random.pick([c.cream, c.honey]), c.ochre)),
    ) +
    grass(random, 60, 634, 20, 60, c.fern, 0, 390) +
    grass(random, 60, 634, 20, 60, c.fern, 810, 1200)
  );
}

function potsOnTheWall(random) {
  const can =
    rect(-80, -130, 160, 130, c.vermilion, { round: 12 }) +
    pen("M-80 -30L-190 -140", c.vermilion, 26) +
    lift(
      shape(
        [
          [-216, -150],
          [-166, -182],
          [-160, -130],
          [-190, -110],
        ],
        c.brick,
      ),
    ) +
    pen("M70 -110Q170 -120 150 -40T74 -20", c.vermilion, 18) +
    pen("M-60 -130Q0 -220 60 -130", c.brick, 14) +
    rect(-80, -96, 160, 14, c.brick);
  return (
    ground("#e9c7a2") +
    many(26, () => rect(random.between(0, 1180), random.between(0, 470), random.between(50, 90), 26, "#e2bb92", { round: 4 })) +
    rect(0, 480, 1200, 150, c.aqua) +
    many(
      14,
      (i) => rect(i * 90, 480, 84, 70, c.teal, { see: 0.35, round: 4 }) + rect(i * 90 - 40, 556, 84, 74, c.teal, { see: 0.35, round: 4 }),
    ) +
    lift(rect(460, 60, 280, 330, c.cream) + rect(480, 80, 240, 300, c.deep)) +
    line(600, 80, 600, 380, c.cream, 14) +
    line(480, 220, 720, 220, c.cream, 14) +
    lift(rect(350, 60, 104, 330, c.teal) + rect(746, 60, 104, 330, c.teal)) +
    many(9, (i) => rect(362, 80 + i * 34, 80, 20, c.sea) + rect(758, 80 + i * 34, 80, 20, c.sea)) +
    lift(rect(440, 372, 320, 56, c.brown, { round: 5 })) +
    many(9, (i) => place(470 + i * 33, 376, daisy(40 + (i % 3) * 22, [c.cream, c.honey, c.blush][i % 3], c.amber))) +
    plantPot(150, 540, 150, 130, c.deep, c.blue) +
    many(9, (i) => place(150, 404, leafShape(240 - Math.abs(i - 4) * 24, 36, i % 2 ? c.fern : c.moss, c.lime), { turn: (i - 4) * 19 })) +
    plantPot(340, 560, 110, 96, c.cream, c.paper) +
    many(5, (i) => place(340 + (i - 2) * 18, 460, daisy(80 + (i % 2) * 34, c.wheat, c.brown), { turn: (i - 2) * 12 })) +
    place(640, 590, lift(can, "high"), { scale: 1.1 }) +
    plantPot(900, 560, 120, 104, c.plum, c.violet) +
    many(3, (i) =>
      place(900 + (i - 1) * 26, 452, frond(150 - Math.abs(i - 1) * 30, [c.moss, c.fern, c.pine][i], 7), { turn: (i - 1) * 20 }),
    ) +
    plantPot(1080, 540, 150, 120, c.ochre, c.amber) +
    many(7, (i) => place(1080, 412, leafShape(210 - Math.abs(i - 3) * 22, 48, i % 2 ? c.pine : c.fern, c.leaf), { turn: (i - 3) * 26 }))
  );
}

function plotWithAShed(random) {
  const cabbage = (x, y, s) =>
    place(
      x,
      y,
      lift(many(6, (i) => place(0, 0, leafShape(44, 24, i % 2 ? c.leaf : c.lime), { turn: (i - 2.5) * 32 })) + circle(0, -14, 20, c.lime)),
      { scale: s },
    );
  const bed = (y, s, plants) =>
    lift(cut(`M${600 - 640 * s} ${y}H${600 + 640 * s}L${600 + 680 * s} ${y + 54 * s}H${600 - 680 * s}Z`, c.brown)) +
    many(13, (i) => plants(600 + (i - 6) * 94 * s, y + 10 * s, i));
  return (
    sky("#bfd9d6", "#eae6cc") +
    cloud(220, 90, 220, c.cream) +
    cloud(700, 70, 160, c.cream) +
    many(9, (i) => roundTree(60 + i * 140, 330, random.between(130, 200), random.pick(["#8fae8d", "#7fa282", "#9db994"]), c.oak)) +
    rect(0, 310, 1200, 330, c.lime) +
    many(28, (i) => rect(i * 44, 270, 26, 66, c.paper, { round: 8 })) +
    rect(0, 284, 1200, 10, c.sand) +
    rect(0, 314, 1200, 10, c.sand) +
    lift(
      rect(820, 190, 220, 160, c.teal) +
        shape(
          [
            [796, 196],
            [930, 116],
            [1064, 196],
          ],
          c.bark,
        ),
      "high",
    ) +
    many(8, (i) => line(846 + i * 27, 196, 846 + i * 27, 350, c.sea, 3)) +
    rect(940, 232, 66, 118, c.vermilion) +
    smallWindow(846, 232, 64, 56, c.foam, c.ink) +
    lift(rect(1070, 290, 90, 60, c.ink, { round: 10 })) +
    pen("M1062 288h106", c.steel, 8) +
    bed(
      364,
      0.72,
      (x, y, i) =>
        line(x, y + 20, x, y - 80, c.wood, 5) +
        many(4, (k) => place(x, y - k * 20, leafShape(26, 10, k % 2 ? c.fern : c.moss), { turn: k % 2 ? 60 : -60 })) +
        (i % 2 ? circle(x + 8, y - 50, 7, c.ochre) : ""),
    ) +
    bed(450, 0.9, (x, y) => cabbage(x, y, 0.95)) +
    bed(
      552,
      1.1,
      (x, y, i) =>
        many(5, (k) => place(x, y + 8, leafShape(74, 9, k % 2 ? c.fern : c.moss), { turn: (k - 2) * 17 })) +
        oval(x, y + 14, 13, 12, i % 2 ? c.amber : c.apricot),
    ) +
    place(250, 440, person({ h: 220, coat: c.ochre, trousers: c.deep, hat: c.sand, arm: "hip", hair: c.frost })) +
    line(292, 330, 300, 470, c.oak, 7) +
    cut("M286 466h28l4 44q-18 16 -36 0Z", c.steel)
  );
}

function underTheSoil(random) {
  const carrot = (x, l, w, fill, dark) =>
    lift(
      cut(
        `M${x - w} 262Q${x - w} 244 ${x} 244T${x + w} 262Q${x + w * 0.7} ${262 + l * 0.7} ${x} ${262 + l}Q${x - w * 0.7} ${262 + l * 0.7} ${x - w} 262Z`,
        fill,
      ),
    ) +
    many(3, (i) => line(x - w * 0.6 + i * 8, 290 + i * l * 0.2, x + i * 6, 290 + i * l * 0.2, dark, 4)) +
    many(5, (k) => place(x, 250, frond(150 - Math.abs(k - 2) * 26, k % 2 ? c.moss : c.fern, 7, 0.2), { turn: (k - 2) * 17 }));
  const beet = (x) =>
    lift(
      circle(x, 324, 76, c.plum) +
        shape(
          [
            [x - 18, 392],
            [x + 18, 392],
            [x, 500],
          ],
          c.plum,
        ),
    ) +
    many(3, (i) => pen(`M${x - 50 + i * 8} ${310 + i * 24}q50 18 ${92 - i * 16} 0`, c.violet, 4)) +
    many(3, (k) =>
      place(x, 250, line(0, 0, 0, -80, c.mauve, 8) + place(0, -60, leafShape(120, 40, k % 2 ? c.moss : c.fern, c.mauve)), {
        turn: (k - 1) * 30,
      }),
    );
  const radish = (x) =>
    lift(
      circle(x, 290, 44, c.rose) +
        shape(
          [
            [x - 14, 328],
            [x + 14, 328],
            [x, 400],
          ],
          c.cream,
        ),
    ) + many(3, (k) => place(x, 252, leafShape(100, 26, k % 2 ? c.leaf : c.moss, c.fern), { turn: (k - 1) * 32 }));
  const onion = (x) =>
    lift(cut(`M${x} 216Q${x + 14} 250 ${x + 62} 280Q${x + 90} 350 ${x} 372Q${x - 90} 350 ${x - 62} 280Q${x - 14} 250 ${x} 216Z`, c.wheat)) +
    many(3, (i) => pen(`M${x} 240Q${x - 44 + i * 44} 300 ${x} 366`, c.amber, 4)) +
    many(5, (i) => pen(`M${x - 16 + i * 8} 374q${(i - 2) * 6} 14 ${(i - 2) * 12} 30`, c.paper, 3)) +
    many(3, (k) => place(x, 236, leafShape(140, 10, c.moss), { turn: (k - 1) * 14 }));
  return (
    sky("#f3dcb0", c.cream) +
    circle(1010, 110, 64, c.honey) +
    rect(0, 262, 1200, 370, c.brown) +
    cut("M0 420Q300 400 600 430T1200 410V630H0Z", c.bark) +
    cut("M0 540Q300 520 600 550T1200 530V630H0Z", "#2a1a19") +
    many(44, () =>
      oval(random.between(0, 1200), random.between(290, 620), random.between(4, 13), random.between(3, 8), c.oak, { see: 0.55 }),
    ) +
    rect(0, 254, 1200, 14, c.fern) +
    carrot(120, 230, 44, c.apricot, c.amber) +
    beet(290) +
    carrot(470, 250, 46, c.apricot, c.amber) +
    carrot(620, 310, 62, c.vermilion, c.brick) +
    radish(780) +
    onion(930) +
    carrot(1090, 220, 46, c.apricot, c.amber) +
    pen("M740 540q30 -40 60 0t60 0t60 -6", c.rose, 15) +
    grass(random, 70, 264, 10, 26, c.moss)
  );
}

export default { garden: [gateInTheHedge, potsOnTheWall], allotment: [plotWithAShed, underTheSoil] };
