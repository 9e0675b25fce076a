// Keys and ladders.

import { cloud, grass, hills, leafShape, pines, roundTree, starField } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, glow, ground, inside, lift, line, many, pen, place, rect, ring, shape, sky } from "../shapes.mjs";
import { house, person } from "../town.mjs";

const key = (l, fill, bow = "round") =>
  ring(0, 0, l * 0.17, fill, l * 0.075) +
  (bow === "clover" ? many(3, (i) => ring(...around(0, 0, l * 0.17, i * 90 + 180), l * 0.1, fill, l * 0.06)) : "") +
  rect(-l * 0.04, l * 0.17, l * 0.08, l * 0.72, fill, { round: 4 }) +
  rect(0, l * 0.66, l * 0.18, l * 0.08, fill, { round: 3 }) +
  rect(0, l * 0.79, l * 0.22, l * 0.09, fill, { round: 3 }) +
  rect(-l * 0.08, l * 0.24, l * 0.16, l * 0.05, fill, { round: 3 });

function keysOnHooks() {
  const metals = [c.honey, c.frost, c.wood, c.ochre, c.steel, c.sand];
  const hung = many(2, (row) =>
    many(7, (i) => {
      const [x, y] = [150 + i * 150, 140 + row * 250];
      const red = row === 0 && i === 4;
      const missing = row === 1 && i === 2;
      return (
        rect(x - 34, y - 62, 68, 28, c.cream, { round: 4 }) +
        rect(x - 16, y - 52, 32, 7, c.tan) +
        pen(`M${x} ${y - 20}v10q0 14 14 14`, c.ink, 8) +
        circle(x, y - 22, 9, c.ink) +
        (missing
          ? ""
          : lift(
              place(
                x + 2,
                y + 30,
                key(
                  red ? 190 : 160 + ((i * 7) % 3) * 12,
                  red ? c.vermilion : metals[(i + row * 2) % 6],
                  (i + row) % 3 === 1 ? "clover" : "round",
                ),
                { turn: (i % 3) * 5 - 5 },
              ),
            ))
      );
    }),
  );
  return (
    ground("#1f4a57") +
    lift(rect(50, 30, 1100, 570, "#2a6169", { round: 14 }), "high") +
    rect(70, 50, 1060, 530, "#26565f", { round: 8 }) +
    rect(70, 110, 1060, 16, "#1f4a57") +
    rect(70, 360, 1060, 16, "#1f4a57") +
    hung
  );
}

function keyAndKeyhole() {
  return (
    ground("#6b3426") +
    many(5, (i) => rect(i * 250 - 30, 0, 236, 630, "#74392a") + rect(i * 250 - 30, 0, 10, 630, "#5d2c20")) +
    lift(rect(690, 70, 270, 490, c.ochre, { round: 120 }), "high") +
    rect(712, 92, 226, 446, c.wheat, { round: 104 }) +
    many(4, (i) => circle(825 + (i % 2 ? 70 : -70), i < 2 ? 190 : 450, 10, c.amber)) +
    glow(825, 320, 300, c.honey, 0.4) +
    lift(
      circle(825, 260, 66, c.honey) +
        shape(
          [
            [800, 290],
            [850, 290],
            [890, 450],
            [760, 450],
          ],
          c.honey,
        ),
    ) +
    inside(
      `${circle(825, 260, 60, c.ink)}${shape(
        [
          [802, 290],
          [848, 290],
          [882, 444],
          [768, 444],
        ],
        c.ink,
      )}`,
      rect(740, 180, 180, 280, "#bfe0dc") +
        circle(850, 250, 26, c.cream) +
        cut("M740 350Q820 310 930 360V460H740Z", c.moss) +
        cut("M740 400Q830 370 930 400V460H740Z", c.fern) +
        rect(806, 356, 44, 34, c.cream) +
        shape(
          [
            [798, 358],
            [828, 330],
            [858, 358],
          ],
          c.clay,
        ) +
        rect(830, 366, 12, 24, c.ink),
    ) +
    lift(place(210, 320, key(480, c.vermilion, "clover"), { turn: -90 }), "high") +
    pen("M130 330Q60 420 90 520T60 640", c.cream, 9) +
    lift(place(92, 520, rect(-40, -10, 100, 66, c.cream, { round: 8, turn: 14 }) + rect(-16, 16, 56, 9, c.tan, { turn: 14 })))
  );
}

const ladder = (h, w, fill, rungs = 9) =>
  line(-w / 2, 0, -w * 0.36, -h, fill, 11) +
  line(w / 2, 0, w * 0.36, -h, fill, 11) +
  many(rungs, (i) => {
    const t = (i + 0.6) / rungs;
    const half = w * (0.5 - 0.14 * t);
    return line(-half, -h * t, half, -h * t, fill, 9);
  });

function ladderToTheMoon(random) {
  return (
    sky("#13283b", "#23506a", "#5b8f97") +
    starField(random, 90, 400) +
    glow(700, 140, 330, c.paper, 0.4) +
    lift(cut("M640 30A130 130 0 1 0 822 206A112 112 0 1 1 640 30Z", c.paper), "high") +
    hills(random, 520, 24, "#1f4c60", 5) +
    cut("M0 610Q400 470 700 560T1200 560V630H0Z", c.night) +
    lift(place(520, 560, ladder(410, 110, c.wood, 12), { turn: 12 })) +
    place(578, 330, person({ h: 170, coat: c.vermilion, trousers: c.ink, arm: "up", hair: c.ink }), { turn: 8 }) +
    [
      [200, 160, 220],
      [1020, 330, 260],
      [330, 380, 160],
    ]
      .map(([x, y, w]) => cloud(x, y, w, c.cream, { see: 0.16 }))
      .join("") +
    house(230, 562, 100, 74, c.cream, c.ink) +
    pines(random, 7, 610, 70, 150, c.ink, 860, 1210) +
    pines(random, 3, 620, 60, 110, c.ink, 0, 150)
  );
}

function ladderInTheAppleTree(random) {
  const apple = (x, y, r, fill) =>
    lift(circle(x, y, r, fill)) +
    line(x, y - r * 0.8, x + 4, y - r * 1.4, c.bark, 4) +
    pen(`M${x - r * 0.5} ${y - r * 0.1}q0 -${r * 0.4} ${r * 0.3} -${r * 0.5}`, c.cream, 4, { see: 0.7 });
  return (
    sky("#f3d896", "#f6e6bd") +
    hills(random, 470, 24, "#d3bf78", 5) +
    many(6, (i) => roundTree(90 + i * 220, 500, 120 + (i % 2) * 30, "#b5b877", c.oak)) +
    rect(0, 510, 1200, 130, c.leaf) +
    cut("M0 560Q600 510 1200 560V630H0Z", c.moss) +
    cut("M660 600Q710 500 690 360L590 280L610 264L700 320L730 200L756 206L748 330L850 260L864 280L770 370Q770 500 830 600Z", c.brown) +
    lift(
      circle(560, 230, 130, c.fern) + circle(700, 140, 170, c.moss) + circle(880, 210, 150, c.fern) + circle(760, 250, 120, c.moss),
      "high",
    ) +
    many(50, () =>
      place(random.between(480, 980), random.between(40, 320), leafShape(26, 9, random.pick([c.leaf, c.lime, c.pine])), {
        turn: random.between(0, 360),
      }),
    ) +
    [
      [540, 200],
      [620, 300],
      [690, 90],
      [760, 190],
      [850, 130],
      [930, 240],
      [820, 300],
      [500, 270],
      [640, 180],
      [960, 160],
    ]
      .map(([x, y], i) => apple(x, y, 21, i === 1 ? c.honey : [c.honey, c.wheat, c.blush][i % 3]))
      .join("") +
    lift(place(470, 590, ladder(420, 120, c.ochre, 10), { turn: 16 })) +
    place(520, 400, person({ h: 200, coat: c.vermilion, trousers: c.deep, arm: "up", hair: c.bark }), { turn: 6 }) +
    lift(cut("M230 510H380L362 600H248Z", c.wood)) +
    many(3, (i) => line(236 + i * 5, 530 + i * 24, 374 - i * 5, 530 + i * 24, c.oak, 6)) +
    [
      [256, 500],
      [296, 492],
      [336, 498],
      [364, 504],
      [312, 474],
    ]
      .map(([x, y], i) => apple(x, y, 22, i % 2 ? c.honey : c.wheat))
      .join("") +
    apple(160, 596, 20, c.honey) +
    apple(900, 590, 20, c.wheat) +
    apple(960, 606, 18, c.blush) +
    grass(random, 50, 634, 12, 40, c.fern)
  );
}

export default { keys: [keysOnHooks, keyAndKeyhole], ladder: [ladderToTheMoon, ladderInTheAppleTree] };
