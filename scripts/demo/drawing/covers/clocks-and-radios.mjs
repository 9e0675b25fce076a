// Clocks and radios.

import { halo, hills, leafShape, starField } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, glow, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { cup, plantPot } from "../things.mjs";
import { house } from "../town.mjs";

const dial = (x, y, r, face, ink, hand, hour, minute) =>
  lift(circle(x, y, r, ink), "high") +
  circle(x, y, r * 0.9, face) +
  many(12, (i) => line(...around(x, y, r * 0.72, i * 30), ...around(x, y, r * 0.82, i * 30), ink, i % 3 ? r * 0.03 : r * 0.07)) +
  lift(line(x, y, ...around(x, y, r * 0.42, hour), ink, r * 0.08) + line(x, y, ...around(x, y, r * 0.64, minute), hand, r * 0.05)) +
  circle(x, y, r * 0.08, ink);

const gear = (x, y, r, teeth, fill, hole) =>
  circle(x, y, r, fill) +
  many(teeth, (i) => place(x, y, rect(-r * 0.13, -r * 1.16, r * 0.26, r * 0.3, fill, { round: 3 }), { turn: (i * 360) / teeth })) +
  circle(x, y, r * 0.72, hole) +
  many(4, (i) => place(x, y, rect(-r * 0.08, -r * 0.76, r * 0.16, r * 0.76, fill), { turn: i * 90 + 20 })) +
  circle(x, y, r * 0.24, fill) +
  circle(x, y, r * 0.1, hole);

function clockAndGears() {
  const wall = "#20505b";
  return (
    ground(wall) +
    gear(160, 140, 120, 16, c.amber, wall) +
    gear(330, 330, 92, 12, c.wood, wall) +
    gear(130, 480, 130, 18, c.ochre, wall) +
    gear(1040, 170, 140, 18, c.ochre, wall) +
    gear(1090, 460, 110, 14, c.wood, wall) +
    gear(890, 560, 84, 12, c.amber, wall) +
    gear(860, 70, 70, 10, c.steel, wall) +
    gear(360, 560, 70, 10, c.steel, wall) +
    gear(380, 60, 76, 10, c.teal, wall) +
    dial(620, 320, 250, c.cream, c.ink, c.vermilion, -60, 40)
  );
}

function towerClock(random) {
  return (
    sky(c.violet, c.rose, c.peach) +
    starField(random, 24, 160) +
    hills(random, 430, 24, c.mauve, 5) +
    glow(600, 200, 300, c.honey, 0.5) +
    lift(
      rect(490, 90, 220, 540, c.deep) +
        rect(470, 300, 260, 22, c.night) +
        shape(
          [
            [466, 96],
            [600, -60],
            [734, 96],
          ],
          c.brick,
        ),
      "high",
    ) +
    rect(470, 84, 260, 18, c.night) +
    dial(600, 200, 92, c.honey, c.ink, c.vermilion, 210, -90) +
    rect(570, 350, 60, 90, c.night, { round: 30 }) +
    cut("M572 420q0 -54 28 -54t28 54l8 12h-72Z", c.ochre) +
    [
      [90, 150, c.cream, c.ink],
      [250, 130, c.clay, c.bark],
      [390, 140, c.ochre, c.deep],
      [820, 140, c.blush, c.bark],
      [960, 150, c.cream, c.deep],
      [1110, 150, c.teal, c.ink],
    ]
      .map(([x, h, wall, roof], i) => house(x, 560 + (i % 2) * 24, 130, h, wall, roof))
      .join("") +
    rect(0, 580, 1200, 50, c.plum) +
    many(5, (i) => pen(`M${800 + i * 50} ${90 + (i % 2) * 26}q10 -12 20 0q10 -12 20 0`, c.plum, 3))
  );
}

function tableRadio() {
  return (
    ground("#d9a441") +
    many(15, (i) => rect(i * 84, 0, 40, 500, "#e0af52")) +
    rect(0, 490, 1200, 140, c.bark) +
    rect(0, 484, 1200, 12, c.brown) +
    line(860, 180, 1010, 10, c.frost, 6) +
    circle(1010, 12, 9, c.ink) +
    lift(rect(250, 170, 700, 340, c.deep, { round: 60 }), "high") +
    rect(274, 194, 652, 292, c.night, { round: 44 }) +
    circle(440, 340, 122, c.wood) +
    many(9, (i) =>
      line(
        440 - Math.sqrt(11000 - (i - 4) ** 2 * 576),
        340 + (i - 4) * 24,
        440 + Math.sqrt(11000 - (i - 4) ** 2 * 576),
        340 + (i - 4) * 24,
        c.bark,
        8,
      ),
    ) +
    glow(750, 284, 230, c.honey, 0.4) +
    rect(606, 230, 280, 106, c.honey, { round: 14 }) +
    many(13, (i) => line(626 + i * 20, 262, 626 + i * 20, i % 3 ? 282 : 296, c.ink, 3)) +
    line(626, 262, 866, 262, c.ink, 3) +
    line(786, 240, 786, 326, c.vermilion, 6) +
    [650, 746, 842]
      .map((x, i) => lift(circle(x, 410, 34, i === 1 ? c.cream : c.sand)) + line(x, 410, x + (i - 1) * 16, 384, c.ink, 5))
      .join("") +
    rect(330, 506, 60, 20, c.ink) +
    rect(810, 506, 60, 20, c.ink) +
    plantPot(1080, 500, 92, 76, c.cream, c.paper) +
    many(7, (i) => place(1080, 420, leafShape(120, 20, i % 2 ? c.fern : c.pine), { turn: (i - 3) * 25 })) +
    cup(140, 512, 92, c.teal, c.bark)
  );
}

function microphone() {
  return (
    ground("#1f3440") +
    halo(600, 250, [230, 300, 380, 470, 570, 680], c.teal, 18, 0.45) +
    lift(rect(0, 540, 1200, 100, c.oak)) +
    rect(0, 540, 1200, 14, c.wood) +
    pen("M470 250v30a130 130 0 0 0 260 0v-30", c.frost, 18) +
    line(600, 410, 600, 540, c.frost, 20) +
    lift(oval(600, 546, 140, 22, c.frost)) +
    lift(rect(500, 70, 200, 300, c.sand, { round: 100 }), "high") +
    inside(
      rect(500, 70, 200, 300, c.ink, { round: 100 }),
      many(9, (i) => rect(490, 92 + i * 26, 220, 9, c.oak, { see: 0.6 })) + rect(500, 250, 200, 150, c.deep),
    ) +
    rect(500, 236, 200, 20, c.ink) +
    lift(rect(880, 90, 220, 86, c.vermilion, { round: 16 })) +
    glow(990, 133, 180, c.vermilion, 0.4) +
    circle(924, 133, 16, c.cream) +
    many(3, (i) => rect(954, 112 + i * 17, 116 - i * 26, 8, c.cream, { round: 4 })) +
    pen("M150 500V420a90 90 0 0 1 180 0v80", c.ink, 16) +
    lift(rect(124, 440, 50, 100, c.teal, { round: 20 }) + rect(306, 440, 50, 100, c.teal, { round: 20 })) +
    lift(
      shape(
        [
          [820, 540],
          [850, 500],
          [1090, 500],
          [1120, 540],
        ],
        c.cream,
      ),
    ) +
    many(3, (i) => line(872, 510 + i * 10, 1060, 510 + i * 10, c.tan, 3))
  );
}

export default { clock: [clockAndGears, towerClock], radio: [tableRadio, microphone] };
