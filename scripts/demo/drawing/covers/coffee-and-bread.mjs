// Coffee and bread.

import { leafShape } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, glow, ground, inside, lift, line, many, oval, pen, place, rect, ring, shape } from "../shapes.mjs";
import { cup, steam } from "../things.mjs";

function coffeePotAndCup() {
  return (
    ground("#e6b98f") +
    circle(420, 260, 250, "#eecaa4") +
    rect(0, 470, 1200, 160, c.brown) +
    rect(0, 462, 1200, 14, c.bark) +
    steam(330, 190, 120, c.cream, 11, 0.95) +
    lift(
      shape(
        [
          [300, 520],
          [344, 360],
          [536, 360],
          [580, 520],
        ],
        c.steel,
      ) +
        shape(
          [
            [344, 360],
            [306, 212],
            [574, 212],
            [536, 360],
          ],
          c.dusk,
        ) +
        shape(
          [
            [306, 212],
            [262, 196],
            [322, 270],
          ],
          c.dusk,
        ),
      "high",
    ) +
    shape(
      [
        [440, 520],
        [440, 360],
        [536, 360],
        [580, 520],
      ],
      c.deep,
      { see: 0.35 },
    ) +
    shape(
      [
        [440, 360],
        [440, 212],
        [574, 212],
        [536, 360],
      ],
      c.deep,
      { see: 0.28 },
    ) +
    rect(334, 348, 212, 26, c.ink, { round: 5 }) +
    shape(
      [
        [310, 210],
        [440, 160],
        [570, 210],
      ],
      c.steel,
    ) +
    circle(440, 154, 18, c.ink) +
    pen("M566 226H660L628 400", c.ink, 26) +
    lift(oval(850, 540, 170, 22, c.cream)) +
    cup(850, 534, 220, c.vermilion, c.bark) +
    oval(850, 375, 98, 14, c.oak) +
    steam(810, 350, 150, c.cream, 11, 0.95) +
    steam(885, 346, 180, c.cream, 11, 0.95) +
    [
      [1060, 570, 20],
      [1110, 556, -30],
      [1090, 600, 60],
      [180, 570, 10],
      [130, 596, -40],
      [220, 604, 80],
    ]
      .map(([x, y, t]) => place(x, y, oval(0, 0, 24, 15, c.bark) + pen("M-18 0q9 -7 18 0t18 0", c.oak, 3), { turn: t }))
      .join("")
  );
}

function coffeeFromAbove(random) {
  const saucer = (x, y, r, plate, drink, art) =>
    lift(circle(x, y, r * 1.5, plate), "high") +
    ring(x, y, r * 1.25, c.tan, 3, { see: 0.5 }) +
    lift(place(x, y, rect(r * 0.8, -r * 0.16, r * 0.66, r * 0.32, plate, { round: 14 }) + circle(0, 0, r, plate), { turn: 34 })) +
    circle(x, y, r * 0.86, drink) +
    art;
  const leaf =
    many(5, (i) =>
      cut(
        `M0 ${44 - i * 28}q-${52 - i * 7} -${6} -${56 - i * 9} -${50 - i * 6}q${46 - i * 6} 4 ${56 - i * 9} ${30 - i * 3}q10 -${26 - i * 2} ${56 - i * 9} -${30 - i * 3}q-4 44 -${56 - i * 9} ${50 - i * 6}Z`,
        c.cream,
      ),
    ) + line(0, 70, 0, -60, c.oak, 4);
  return (
    ground("#2a5f66") +
    many(46, () => {
      const [x, y] = [random.between(0, 1200), random.between(0, 630)];
      return place(x, y, oval(0, 0, 21, 14, c.bark) + pen("M-16 0q8 -6 16 0t16 0", c.wood, 3), { turn: random.between(0, 180) });
    }) +
    saucer(420, 330, 160, c.vermilion, c.oak, place(420, 330, leaf, { scale: 1.25 })) +
    saucer(880, 210, 84, c.cream, c.bark, ring(880, 210, 60, c.amber, 8)) +
    saucer(950, 500, 66, c.honey, "#d9b48a", "") +
    lift(place(716, 470, oval(0, -96, 26, 38, c.frost) + rect(-6, -64, 12, 180, c.frost, { round: 6 }), { turn: 24 }))
  );
}

function loavesOnTheTable() {
  const baguette = (x, y, l, turn) =>
    place(
      x,
      y,
      lift(rect(-34, -l, 68, l, "#cf8f45", { round: 34 })) +
        rect(6, -l + 10, 22, l - 14, "#b9763a", { round: 11 }) +
        many(Math.floor((l - 50) / 62), (i) => oval(-4, -l + 62 + i * 62, 11, 30, c.paper, { turn: [32, -4, -l + 62 + i * 62] })),
      { turn },
    );
  const ear = (turn) =>
    place(
      610,
      470,
      line(0, 0, 0, -150, c.paper, 6) +
        many(
          4,
          (i) =>
            place(0, -28 - i * 34, leafShape(52 - i * 5, 11, c.paper), { turn: 46 }) +
            place(0, -28 - i * 34, leafShape(52 - i * 5, 11, c.paper), { turn: -46 }),
        ),
      { turn },
    );
  return (
    ground("#2f686b") +
    circle(610, 300, 270, "#387476") +
    rect(0, 470, 1200, 160, c.wheat) +
    many(14, (i) => rect(i * 92, 470, 44, 160, c.honey, { see: 0.6 })) +
    rect(0, 462, 1200, 12, c.ochre) +
    baguette(196, 420, 330, -14) +
    baguette(300, 420, 350, 12) +
    baguette(250, 430, 390, 0) +
    lift(
      shape(
        [
          [120, 300],
          [380, 300],
          [350, 540],
          [150, 540],
        ],
        c.vermilion,
      ),
      "high",
    ) +
    rect(108, 290, 284, 32, c.brick, { round: 10 }) +
    many(3, (i) => circle(190 + i * 60, 430, 16, c.cream)) +
    lift(rect(420, 510, 700, 34, c.oak, { round: 14 }), "high") +
    lift(cut("M430 512C420 340 500 240 620 240S830 340 810 512Z", "#cf8f45"), "high") +
    cut("M700 252C800 300 826 400 810 512H640C760 470 770 340 700 252Z", "#b9763a") +
    ear(4) +
    [0, 1, 2]
      .map((i) =>
        place(
          880 + i * 62,
          514,
          lift(cut("M-76 0V-90Q-104 -150 -40 -166H40Q104 -150 76 -90V0Z", "#b9763a")) +
            cut("M-64 -8V-92Q-88 -142 -36 -154H36Q88 -142 64 -92V-8Z", c.paper) +
            circle(-22, -110, 6, c.sand) +
            circle(24, -70, 7, c.sand) +
            circle(-10, -40, 5, c.sand) +
            circle(30, -120, 5, c.sand),
        ),
      )
      .join("") +
    many(3, (i) =>
      place(
        1110 + i * 18,
        600,
        line(0, 0, 0, -150, c.amber, 5) +
          many(5, (k) => place(0, -80 - k * 18, oval(-9, 0, 7, 14, c.amber, { turn: -26 }) + oval(9, 0, 7, 14, c.oak, { turn: 26 }))),
        { turn: -50 + i * 12 },
      ),
    )
  );
}

function ovenMouth(random) {
  const loaf = (x, y, s) =>
    lift(
      place(x, y, cut("M-90 30Q-100 -50 0 -54T90 30Z", c.amber) + many(3, (i) => pen(`M${-50 + i * 40} 4q14 -18 18 -40`, c.paper, 8)), {
        scale: s,
      }),
    );
  return (
    ground(c.clay) +
    many(9, (row) =>
      many(10, (i) =>
        rect(i * 136 - 60 + (row % 2) * 68, row * 72 - 6, 128, 64, random.pick([c.brick, "#b34a2d", "#bb5033"]), { round: 4 }),
      ),
    ) +
    lift(cut("M230 560V330A370 310 0 0 1 970 330V560Z", c.paper), "high") +
    many(13, (i) => line(...around(600, 340, 300, 186 + i * 14), ...around(600, 340, 366, 186 + i * 14), c.tan, 5)) +
    cut("M300 560V340A300 250 0 0 1 900 340V560Z", c.bark) +
    inside(
      cut("M300 560V340A300 250 0 0 1 900 340V560Z", c.bark),
      glow(600, 500, 360, c.vermilion, 0.9) +
        cut("M330 560q30 -150 70 -90q10 -120 70 -60q30 -120 80 -20q40 -110 90 -10q50 -80 80 10q60 -70 70 40q50 -40 80 130Z", c.vermilion) +
        cut("M380 560q30 -100 60 -50q30 -90 70 -30q40 -90 80 -10q50 -80 80 0q50 -60 70 20q40 -30 60 70Z", c.wheat) +
        rect(300, 530, 600, 40, c.ink),
    ) +
    rect(0, 556, 1200, 80, c.frost) +
    rect(0, 550, 1200, 16, c.cream) +
    loaf(430, 528, 0.95) +
    loaf(780, 528, 0.95) +
    lift(
      shape(
        [
          [556, 640],
          [644, 640],
          [632, 560],
          [568, 560],
        ],
        c.oak,
      ),
    ) +
    lift(rect(470, 510, 260, 60, c.wood, { round: 24 }), "high") +
    loaf(600, 506, 1.1)
  );
}

export default { coffee: [coffeePotAndCup, coffeeFromAbove], bread: [loavesOnTheTable, ovenMouth] };
