// Wind.

import { cloud, grass, hills, leafShape } from "../nature.mjs";
import { c } from "../palette.mjs";
import { cut, lift, line, many, pen, place, rect, shape, sky } from "../shapes.mjs";
import { person } from "../town.mjs";

const gust = (x, y, w, colour, see = 0.8) => pen(`M${x} ${y}H${x + w}a26 26 0 1 0 -26 -28`, colour, 7, { see });

function washingLine(random) {
  const shirt = (fill, trim) =>
    lift(cut("M-60 0Q0 26 60 0L118 50L84 90L64 70Q84 150 96 220Q20 200 -44 226Q-60 140 -62 70L-86 86L-116 44Z", fill)) +
    pen("M-22 10Q2 40 24 10", trim, 7);
  const trousers = (fill) => lift(cut("M-54 0H54Q70 130 96 250L44 262Q20 160 4 90Q-6 170 -10 262L-64 258Q-64 120 -54 0Z", fill));
  const sheet = (fill, stripe) =>
    lift(cut("M-110 0Q0 20 110 0Q150 120 170 220Q90 190 20 226T-90 220Q-90 110 -110 0Z", fill)) +
    pen("M-104 60Q20 90 126 58", stripe, 9) +
    pen("M-98 84Q20 114 132 82", stripe, 4);
  const sock = (fill, heel) =>
    lift(cut("M-16 0H16L24 80Q70 90 74 112Q40 130 -6 116Q-16 60 -16 0Z", fill)) + cut("M4 84Q-2 120 20 118L24 92Z", heel);
  const hung = [
    [130, 130, sheet(c.cream, c.teal), 8],
    [360, 152, shirt(c.vermilion, c.brick), 10],
    [560, 160, trousers(c.deep), 8],
    [740, 158, sheet(c.wheat, c.cream), 9],
    [930, 148, sock(c.teal, c.cream), 14],
    [1040, 140, sock(c.plum, c.blush), 16],
  ];
  return (
    sky("#a9cfd0", "#dbe6d8") +
    cloud(980, 440, 300, c.cream, { see: 0.8 }) +
    cloud(190, 80, 240, c.cream) +
    cloud(760, 60, 200, c.cream, { see: 0.8 }) +
    hills(random, 510, 20, c.lime, 5) +
    hills(random, 560, 16, c.leaf, 5) +
    pen("M-10 110Q600 210 1210 110", c.ink, 5) +
    hung.map(([x, y, cloth, turn]) => place(x, y, cloth, { turn: -turn })).join("") +
    hung.map(([x, y]) => rect(x - 34, y - 16, 9, 32, c.wood) + rect(x + 26, y - 14, 9, 32, c.wood)).join("") +
    gust(40, 440, 190, c.cream) +
    gust(460, 490, 230, c.cream) +
    gust(860, 330, 150, c.cream) +
    grass(random, 90, 636, 30, 80, c.moss) +
    many(10, () =>
      place(random.between(0, 1200), random.between(60, 560), leafShape(26, 9, random.pick([c.fern, c.ochre])), {
        turn: random.between(0, 360),
      }),
    )
  );
}

function kiteOnTheHill(random) {
  const crown = many(40, () =>
    place(400 + random.between(-20, 250), 270 + random.between(-110, 60), leafShape(44, 14, random.pick([c.amber, c.oak, c.clay])), {
      turn: random.between(50, 110),
    }),
  );
  return (
    sky("#e8b56c", "#f0cd94", c.paper) +
    [
      [90, 120, 260],
      [520, 80, 300],
      [120, 300, 140],
      [860, 440, 200],
      [720, 250, 180],
    ]
      .map(([x, y, w]) => gust(x, y, w, c.cream, 0.9))
      .join("") +
    hills(random, 510, 24, "#c7a257", 4) +
    cut("M0 560Q420 380 1200 590V630H0Z", c.pine) +
    cut("M310 510Q340 400 330 330Q380 270 470 260L476 274Q400 300 372 350Q380 430 372 500Z", c.bark) +
    pen("M352 350Q430 340 520 340M360 310Q430 230 560 210", c.bark, 12) +
    lift(cut("M380 220Q460 130 620 160Q760 170 720 230Q800 250 700 300Q640 350 520 320Q420 340 400 290Q350 260 380 220Z", c.clay)) +
    crown +
    place(780, 496, person({ h: 130, coat: c.deep, arm: "up", hair: c.ink })) +
    pen("M796 386Q900 330 1000 150", c.ink, 3) +
    lift(
      place(
        1020,
        120,
        shape(
          [
            [0, -96],
            [66, 0],
            [0, 100],
            [-66, 0],
          ],
          c.vermilion,
        ) +
          shape(
            [
              [0, -96],
              [66, 0],
              [0, 0],
            ],
            c.brick,
          ) +
          shape(
            [
              [-66, 0],
              [0, 0],
              [0, 100],
            ],
            c.brick,
          ) +
          line(0, -96, 0, 100, c.cream, 4) +
          line(-66, 0, 66, 0, c.cream, 4),
        { turn: 24 },
      ),
      "high",
    ) +
    pen("M980 210q-40 40 -10 80t-20 80", c.ink, 3) +
    [
      [962, 244],
      [972, 300],
      [952, 350],
    ]
      .map(
        ([x, y]) =>
          shape(
            [
              [x, y],
              [x - 20, y - 12],
              [x - 20, y + 12],
            ],
            c.cream,
          ) +
          shape(
            [
              [x, y],
              [x + 20, y - 12],
              [x + 20, y + 12],
            ],
            c.cream,
          ),
      )
      .join("") +
    many(36, () =>
      place(random.between(640, 1200), random.between(60, 560), leafShape(24, 9, random.pick([c.clay, c.amber, c.oak])), {
        turn: random.between(0, 360),
      }),
    ) +
    grass(random, 60, 640, 30, 80, c.shade)
  );
}

export default { wind: [washingLine, kiteOnTheHill] };
