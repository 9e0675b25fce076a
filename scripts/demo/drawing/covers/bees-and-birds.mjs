// Bees and birds.

import { flower, grass, gull, hills, pines, roundTree, snowfall, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";

const bee = (wing = c.foam) =>
  lift(oval(-4, -30, 20, 34, wing, { turn: [-24, -4, -30], see: 0.95 }) + oval(22, -28, 17, 30, wing, { turn: [20, 22, -28], see: 0.95 })) +
  inside(oval(0, 0, 48, 29, c.ink), oval(0, 0, 48, 29, c.honey) + many(3, (i) => rect(-30 + i * 26, -32, 13, 64, c.ink))) +
  circle(50, -2, 20, c.ink) +
  pen("M58 -16q8 -18 22 -18M50 -20q2 -18 14 -24", c.ink, 3) +
  circle(56, -5, 4, c.cream);

function hivesInTheMeadow(random) {
  const hive = (x, y, fill, roof) =>
    place(
      x,
      y,
      lift(
        many(3, (i) => rect(-90, -70 - i * 66, 180, 62, fill, { round: 4 })),
        "high",
      ) +
        many(3, (i) => rect(-30, -46 - i * 66, 60, 12, c.ink, { round: 6, see: 0.35 })) +
        rect(-60, -22, 120, 12, c.ink, { round: 6 }) +
        lift(rect(-106, -226, 212, 26, roof, { round: 4 })) +
        rect(-80, -6, 26, 40, c.oak) +
        rect(54, -6, 26, 40, c.oak),
    );
  const path = "M150 120C300 60 330 220 240 220S280 60 480 130S700 240 820 120";
  return (
    sky("#f5d9a0", c.cream) +
    sun(1010, 130, 70, c.honey, [150, 110]) +
    hills(random, 330, 26, "#c7c98c", 5) +
    many(7, (i) => roundTree(60 + i * 190, 370, 110 + (i % 3) * 40, "#a3b27c", c.oak)) +
    hills(random, 390, 16, c.lime, 5) +
    rect(0, 440, 1200, 200, c.leaf) +
    hive(250, 500, c.cream, c.steel) +
    hive(600, 520, c.vermilion, c.ink) +
    hive(950, 500, c.aqua, c.steel) +
    pen(path, c.ink, 4, { "stroke-dasharray": "2 14", see: 0.6 }) +
    place(840, 116, bee(), { scale: 1.15, turn: -20 }) +
    place(420, 250, bee(), { scale: 0.7, flip: true }) +
    place(780, 300, bee(), { scale: 0.6 }) +
    place(120, 120, bee(), { scale: 0.8, turn: 8 }) +
    grass(random, 90, 640, 30, 90, c.fern) +
    many(22, (i) =>
      place(
        20 + i * 55,
        640,
        line(0, 0, 0, -50 - (i % 4) * 14, c.fern, 4) +
          place(0, -54 - (i % 4) * 14, flower(17, 7, [c.cream, c.blush, c.honey][i % 3], [c.ochre, c.plum, c.brown][i % 3])),
      ),
    )
  );
}

function onTheComb(random) {
  const cell = (x, y, r, fill) =>
    shape(
      Array.from({ length: 6 }, (_, i) => around(x, y, r, i * 60 + 30)),
      fill,
    );
  const cells = many(7, (row) =>
    many(9, (i) => {
      const [x, y] = [i * 156 + (row % 2) * 78 - 30, row * 135 - 70];
      const red = row === 3 && i === 4;
      return (
        cell(x, y, 80, c.honey) +
        (red
          ? lift(cell(x, y, 72, c.vermilion)) + cell(x, y, 48, c.clay)
          : cell(x, y, 72, random.pick([c.ochre, c.amber, c.wheat, "#cf9433"])) +
            (random.chance(0.35)
              ? cell(x, y, 48, c.brown)
              : random.chance(0.4)
                ? pen(`M${x - 38} ${y - 12}q10 -30 38 -34`, c.cream, 8, { see: 0.8 })
                : ""))
      );
    }),
  );
  return (
    ground(c.honey) +
    cells +
    place(330, 250, lift(bee(c.cream), "high"), { scale: 2.7, turn: -16 }) +
    place(950, 420, lift(bee(c.cream), "high"), { scale: 2, turn: 200 }) +
    place(1010, 140, lift(bee(c.cream), "high"), { scale: 1.3, turn: 60 }) +
    place(200, 530, lift(bee(c.cream), "high"), { scale: 1.3, turn: 20 }) +
    place(630, 560, lift(bee(c.cream), "high"), { scale: 1.1, turn: -60 })
  );
}

function perchedOnWires(random) {
  const sitting = (fill, belly, wing) =>
    lift(cut("M-20 0C-64 -30 -56 -96 -8 -104C24 -110 50 -84 44 -50C40 -20 20 0 -20 0Z", fill)) +
    cut("M44 -74L70 -66L44 -58Z", c.ochre) +
    cut("M42 -50C30 -16 10 -2 -14 -2C0 -30 10 -50 42 -50Z", belly) +
    cut("M-40 -60Q-10 -66 6 -40Q-10 -10 -44 -6Q-60 10 -84 30Q-62 -20 -40 -60Z", wing) +
    circle(24, -78, 5, c.cream) +
    circle(25, -78, 2.6, c.ink) +
    line(-14, 0, -14, 12, c.ink, 4) +
    line(4, -4, 4, 10, c.ink, 4);
  const wire = (y, sag) => pen(`M-10 ${y}Q600 ${y + sag} 1210 ${y}`, c.ink, 4);
  const on = (y, sag, x) => y + sag * 2 * (x / 1200) * (1 - x / 1200);
  const tints = [
    [c.deep, c.mist, c.night],
    [c.teal, c.foam, c.sea],
    [c.plum, c.blush, c.ink],
    [c.steel, c.foam, c.deep],
  ];
  const rows = [
    [200, 60, [150, 250, 520, 790, 960]],
    [340, 70, [330, 430, 620, 720, 1040]],
    [480, 60, [130, 540, 660, 880, 980]],
  ];
  return (
    sky("#f3c795", "#f7dfb6", c.cream) +
    sun(860, 470, 150, c.honey, [280, 215]) +
    hills(random, 590, 14, "#c9a06a", 5) +
    lift(rect(42, 60, 26, 600, c.bark)) +
    many(
      3,
      (i) =>
        rect(-20, 190 + i * 140, 150, 14, c.bark) + rect(-4, 176 + i * 140, 14, 16, c.frost) + rect(96, 176 + i * 140, 14, 16, c.frost),
    ) +
    rows.map(([y, sag]) => wire(y, sag)).join("") +
    rows
      .map(([y, sag, list], r) =>
        list
          .map((x, i) =>
            place(x, on(y, sag, x) - 8, r === 1 && i === 2 ? sitting(c.vermilion, c.peach, c.brick) : sitting(...tints[(i + r) % 4]), {
              flip: (i + r) % 3 === 0,
              scale: 0.92,
            }),
          )
          .join(""),
      )
      .join("") +
    gull(1050, 120, 24) +
    gull(1120, 150, 17)
  );
}

function robinInWinter(random) {
  const berry = (x, y) => circle(x, y, 13, c.cream) + circle(x - 4, y - 4, 4, c.snow);
  return (
    sky("#9fb9c2", "#cbd8da", c.foam) +
    circle(330, 200, 130, c.snow, { see: 0.8 }) +
    pines(random, 20, 600, 130, 230, "#8ba9b4") +
    pines(random, 13, 640, 140, 280, "#6c8f9e") +
    pen("M1220 380Q900 470 640 470T120 540", c.bark, 30) +
    pen("M420 490Q340 400 230 380", c.bark, 13) +
    pen("M980 440Q1040 330 1130 280", c.bark, 14) +
    pen("M1212 362Q900 452 640 452T130 524", c.snow, 13) +
    pen("M410 470Q336 396 236 374", c.snow, 7) +
    lift(
      place(
        610,
        452,
        cut("M-190 -20C-140 -60 -130 -190 -20 -240C60 -276 150 -250 160 -180C176 -80 120 0 10 10Q-60 16 -110 -10L-250 60L-262 30Z", c.oak) +
          cut("M150 -230C190 -140 150 -10 40 6C-20 0 -20 -80 10 -130C20 -180 60 -240 150 -230Z", c.vermilion) +
          cut("M140 -70C120 -20 80 8 10 10Q-30 12 -60 4Q40 -20 60 -66Q100 -50 140 -70Z", c.cream) +
          cut("M-190 -20C-140 -50 -120 -130 -60 -150C0 -150 10 -80 -30 -40C-70 0 -160 10 -250 60Z", c.brown) +
          circle(84, -206, 13, c.ink) +
          circle(88, -210, 4, c.cream) +
          cut("M156 -208L204 -192L158 -178Z", c.ink),
      ),
      "high",
    ) +
    line(600, 456, 600, 478, c.ink, 8) +
    line(650, 450, 650, 476, c.ink, 8) +
    [
      [240, 392],
      [266, 414],
      [222, 414],
      [1120, 300],
      [1146, 322],
      [1100, 326],
    ]
      .map(([x, y]) => berry(x, y))
      .join("") +
    snowfall(random, 90)
  );
}

export default { bees: [hivesInTheMeadow, onTheComb], birds: [perchedOnWires, robinInWinter] };
