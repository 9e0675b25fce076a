// Deserts.

import { grass, starField, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { archDoor, person } from "../town.mjs";

function camelsOnTheDunes() {
  const camel =
    line(-34, -40, -40, 40, "#3b2420", 9) +
    line(-14, -40, -10, 40, "#3b2420", 9) +
    line(36, -40, 32, 40, "#3b2420", 9) +
    line(54, -40, 60, 40, "#3b2420", 9) +
    cut(
      "M-56 -40Q-60 -84 -30 -84Q0 -140 26 -84Q60 -84 74 -60Q96 -70 92 -112Q92 -132 114 -130L140 -118L136 -106L112 -106Q116 -40 70 -30Q0 -20 -56 -40Z",
      "#3b2420",
    ) +
    pen("M-56 -60q-14 10 -12 34", "#3b2420", 4);
  const dune = (d, light, dark, dd) => cut(d, light) + cut(dd, dark);
  return (
    sky("#f0a96b", "#f5c98d", c.peach) +
    sun(830, 210, 130, c.vermilion, [250, 190], c.honey) +
    cut("M0 390Q200 320 420 370T800 350T1200 380V630H0Z", "#e9b873") +
    dune(
      "M0 470Q240 330 470 400Q760 480 1200 400V630H0Z",
      "#dea257",
      "#c9853f",
      "M470 400Q420 470 560 560Q700 620 800 630H1200V400Q760 480 470 400Z",
    ) +
    place(
      650,
      412,
      camel + place(18, -96, rect(-26, -6, 52, 44, c.teal, { round: 8 }) + many(3, (i) => rect(-22 + i * 17, 2, 8, 30, c.honey))),
      { scale: 1.1 },
    ) +
    place(840, 416, camel + rect(-8, -102, 52, 44, c.cream, { round: 8 }), { scale: 1.05 }) +
    place(1020, 404, camel + rect(-8, -102, 52, 44, c.deep, { round: 8 })) +
    place(1140, 408, person({ h: 100, coat: c.cream, trousers: c.cream, skirt: true, hat: c.ink })) +
    dune("M0 500Q300 440 560 540T1200 520V630H0Z", "#b96b33", "#94512a", "M560 540Q500 590 560 630H1200V520Q820 600 560 540Z") +
    many(4, (i) => pen(`M${30 + i * 20} ${540 + i * 22}q140 -44 330 ${20 - i * 4}`, "#cf8446", 4, { see: 0.7 }))
  );
}

function cactusAndAdobe(random) {
  const cactus = (x, y, s, fill) =>
    place(
      x,
      y,
      lift(pen("M0 0V-250", fill, 64) + pen("M-4 -90H-86V-180", fill, 44) + pen("M4 -60H90V-160", fill, 44)) +
        many(3, (i) => line(-16 + i * 16, -10, -16 + i * 16, -262, c.shade, 3, { see: 0.5 })) +
        line(-86, -110, -86, -184, c.shade, 3, { see: 0.5 }) +
        line(90, -84, 90, -166, c.shade, 3, { see: 0.5 }),
      { scale: s },
    );
  const mesa = (x, w, h, fill, foot = 430) =>
    shape(
      [
        [x - w, foot],
        [x - w * 0.66, foot - h],
        [x + w * 0.66, foot - h],
        [x + w, foot],
      ],
      fill,
    );
  return (
    sky("#243a5a", "#6b5272", "#c97b72", c.apricot) +
    starField(random, 40, 200) +
    lift(cut("M300 70a64 64 0 1 0 60 100a52 52 0 1 1 -60 -100Z", c.paper)) +
    mesa(980, 210, 150, "#94535a") +
    mesa(760, 120, 100, "#a8625c") +
    mesa(180, 240, 130, "#94535a") +
    cut("M0 430Q400 400 800 430T1200 420V630H0Z", "#b3603f") +
    cut("M0 500Q360 450 760 500T1200 490V630H0Z", c.rust) +
    lift(rect(640, 360, 210, 140, c.peach, { round: 12 }) + rect(800, 300, 190, 200, c.apricot, { round: 12 }), "high") +
    many(5, (i) => circle(664 + i * 40, 384, 6, c.brown)) +
    many(4, (i) => circle(826 + i * 46, 326, 6, c.brown)) +
    archDoor(740, 500, 54, 92, c.vermilion) +
    rect(846, 370, 40, 40, c.honey, { round: 6 }) +
    rect(914, 370, 40, 40, c.honey, { round: 6 }) +
    line(930, 300, 930, 160, c.oak, 6) +
    many(5, (i) => line(914, 180 + i * 26, 946, 180 + i * 26, c.oak, 4)) +
    line(914, 160, 914, 300, c.oak, 6) +
    cactus(330, 560, 1.25, c.fern) +
    cactus(1110, 560, 0.8, c.pine) +
    cactus(90, 520, 0.55, c.pine) +
    cut("M0 560Q400 540 800 570T1200 560V630H0Z", "#5e2019") +
    lift(oval(540, 566, 44, 34, c.fern) + oval(580, 536, 26, 34, c.moss)) +
    circle(578, 500, 9, c.honey) +
    oval(880, 590, 60, 16, c.rust) +
    grass(random, 20, 632, 20, 50, c.bark)
  );
}

export default { desert: [camelsOnTheDunes, cactusAndAdobe] };
