// Rain and umbrellas.

import { cloud, dash, hills, rainfall, ripple } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, ground, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { house, person, skyline, streetLamp } from "../town.mjs";

function rainOnTheRoofs(random) {
  const drops = (x, y, n, tint) =>
    many(
      n,
      (i) =>
        line(x + i * 44, y, x + i * 44, y + 40 + ((i * 53) % 150), c.cream, 2, { see: 0.6 }) +
        cut(`M${x + i * 44} ${y + 36 + ((i * 53) % 150)}q13 24 0 32q-13 -8 0 -32Z`, i % 6 === 3 ? tint : c.mist),
    );
  const roofs = [
    [90, 150, c.cream, c.deep],
    [250, 120, c.clay, c.bark],
    [400, 160, c.wheat, c.ink],
    [560, 130, c.blush, c.brown],
    [720, 160, c.vermilion, c.ink],
    [880, 130, c.cream, c.deep],
    [1030, 150, c.aqua, c.ink],
    [1160, 120, c.wheat, c.bark],
  ];
  return (
    ground("#6f9aa2") +
    rect(0, 0, 1200, 630, "#7ba5ab") +
    drops(40, 190, 10, c.foam) +
    drops(500, 150, 8, c.foam) +
    drops(820, 200, 9, c.foam) +
    rainfall(random, 90, c.foam, { lean: 0, length: 40, see: 0.4 }) +
    lift(cloud(250, 210, 480, c.deep), "high") +
    lift(cloud(660, 160, 420, c.blue), "high") +
    lift(cloud(1010, 220, 440, c.deep), "high") +
    lift(cloud(470, 120, 300, c.steel)) +
    hills(random, 510, 16, c.sea, 6) +
    roofs.map(([x, h, wall, roof], i) => house(x, 580 + (i % 2) * 20, 120, h, wall, roof)).join("") +
    rect(0, 590, 1200, 40, c.night) +
    many(14, (i) => ripple(50 + i * 86, 612, 50, c.aqua, 4, 0.7))
  );
}

function bootsInThePuddle(random) {
  const boot = (x) =>
    lift(
      cut(`M${x} 90H${x + 130}Q${x + 124} 250 ${x + 140} 320Q${x + 240} 340 ${x + 250} 400V430H${x - 10}Q${x} 260 ${x} 90Z`, c.vermilion),
      "high",
    ) +
    rect(x - 12, 424, 264, 24, c.brick, { round: 8 }) +
    rect(x - 6, 84, 142, 26, c.brick, { round: 10 }) +
    pen(`M${x + 24} 140Q${x + 20} 260 ${x + 26} 330`, c.peach, 9, { see: 0.6 });
  return (
    ground(c.steel) +
    many(8, (i) => rect(i * 170 - 40, 0, 162, 330, i % 2 ? "#547489" : "#4f6f85")) +
    rect(0, 330, 1200, 300, "#3f5f75") +
    lift(oval(600, 490, 560, 118, "#86aeb3")) +
    oval(600, 486, 520, 102, c.mist) +
    [
      [420, 470, 90],
      [420, 470, 150],
      [760, 486, 100],
      [760, 486, 170],
      [200, 500, 60],
      [1010, 500, 60],
      [1010, 500, 96],
      [600, 560, 50],
    ]
      .map(([x, y, r]) => oval(x, y, r, r * 0.24, "none", { stroke: c.cream, "stroke-width": 5, see: 0.9 }))
      .join("") +
    rect(428, 0, 76, 100, c.deep) +
    rect(690, 0, 76, 100, c.deep) +
    boot(380) +
    boot(640) +
    oval(520, 470, 160, 22, c.mist, { see: 0.6 }) +
    oval(760, 474, 150, 22, c.mist, { see: 0.6 }) +
    lift(
      place(
        1000,
        500,
        shape(
          [
            [-90, -20],
            [90, -20],
            [60, 26],
            [-60, 26],
          ],
          c.cream,
        ) +
          shape(
            [
              [-40, -20],
              [0, -90],
              [40, -20],
            ],
            c.paper,
          ) +
          shape(
            [
              [0, -90],
              [40, -20],
              [0, -20],
            ],
            c.sand,
          ),
      ),
    ) +
    many(8, (i) => cut(`M${300 + i * 100} ${414 - (i % 3) * 30}q12 22 0 30q-12 -8 0 -30Z`, c.foam)) +
    rainfall(random, 130, c.foam, { lean: -8, length: 56, width: 3, see: 0.5 })
  );
}

function umbrellasFromAbove(random) {
  const top = (r, a, b) =>
    lift(
      many(8, (i) =>
        cut(`M0 0L${around(0, 0, r, i * 45)}Q${around(0, 0, r * 0.86, i * 45 + 22.5)} ${around(0, 0, r, i * 45 + 45)}Z`, i % 2 ? a : b),
      ),
      "high",
    ) +
    many(8, (i) => circle(...around(0, 0, r, i * 45), 4, c.cream)) +
    circle(0, 0, r * 0.06, c.cream);
  const tints = [
    [c.deep, c.blue],
    [c.teal, c.sea],
    [c.ink, c.night],
    [c.steel, "#5b7d94"],
    [c.pine, c.shade],
  ];
  const spots = [
    [90, 110],
    [330, 60],
    [560, 130],
    [820, 70],
    [1080, 120],
    [200, 320],
    [450, 350],
    [960, 330],
    [1190, 330],
    [30, 520],
    [310, 560],
    [560, 580],
    [830, 570],
    [1080, 540],
  ];
  return (
    ground("#9db4b5") +
    many(8, (row) =>
      many(13, (i) => rect(i * 100 - (row % 2) * 50, row * 82, 94, 76, random.pick(["#a7bcbb", "#a1b7b7", "#adc1bf"]), { round: 4 })),
    ) +
    spots.map(([x, y], i) => place(x, y, top(random.between(106, 134), ...tints[i % 5]), { turn: random.between(0, 45) })).join("") +
    place(706, 318, top(150, c.vermilion, c.clay), { turn: 12 }) +
    rainfall(random, 100, c.cream, { lean: -14, length: 34, see: 0.5 })
  );
}

function walkingHomeInTheRain(random) {
  const open =
    lift(
      cut("M-190 0A190 150 0 0 1 190 0Q160 -26 127 0Q95 -26 63 0Q32 -26 0 0Q-32 -26 -63 0Q-95 -26 -127 0Q-160 -26 -190 0Z", c.vermilion),
      "high",
    ) +
    cut("M0 -150Q-60 -80 -63 0Q-32 -26 0 0Q32 -26 63 0Q60 -80 0 -150Z", c.brick) +
    line(0, -150, 0, -172, c.ink, 6);
  return (
    sky("#27344f", "#4c5673", "#8f7f8b") +
    skyline(random, 520, 130, 330, "#39455f", { odds: 0.3, lit: c.wheat }) +
    rect(0, 510, 1200, 130, "#2a3248") +
    streetLamp(220, 540, 400, c.ink, c.honey, 210) +
    streetLamp(1040, 530, 330, c.ink, c.honey, 170) +
    many(
      6,
      (i) =>
        dash(220 + (i % 2) * 10, 556 + i * 13, 90 - i * 10, c.honey, 6, 0.5) +
        dash(1040 + (i % 2) * 10, 550 + i * 13, 80 - i * 10, c.honey, 6, 0.5),
    ) +
    line(640, 180, 640, 420, c.ink, 7) +
    place(600, 560, person({ h: 330, coat: c.ochre, trousers: c.ink, arm: "front", hair: c.ink, skirt: true })) +
    place(640, 232, open, { turn: 6 }) +
    many(6, (i) => dash(620 + (i % 2) * 14, 576 + i * 10, 200 - i * 26, c.clay, 6, 0.6)) +
    rainfall(random, 170, c.foam, { lean: -16, length: 54, see: 0.42 })
  );
}

export default { rain: [rainOnTheRoofs, bootsInThePuddle], umbrella: [umbrellasFromAbove, walkingHomeInTheRain] };
