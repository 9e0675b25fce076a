// Cabins in snow and mountains.

import { cloud, dash, gull, peaks, pine, pines, snowfall, starField, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, glow, ground, inside, lift, line, many, pen, place, rect, shape, sky, through } from "../shapes.mjs";
import { smallWindow } from "../town.mjs";

function cabinUnderNorthernLights(random) {
  const ribbon = (points, fill, see) => cut(`${through(points)}L${points.at(-1)[0]} -60L${points[0][0]} -60Z`, fill, { see });
  return (
    ground("#122338") +
    ribbon(
      [
        [-60, 260],
        [160, 180],
        [330, 300],
        [560, 190],
        [760, 270],
        [980, 130],
        [1280, 240],
      ],
      c.teal,
      0.4,
    ) +
    ribbon(
      [
        [-60, 180],
        [200, 110],
        [380, 220],
        [620, 110],
        [820, 190],
        [1020, 60],
        [1280, 150],
      ],
      c.aqua,
      0.4,
    ) +
    ribbon(
      [
        [-60, 90],
        [220, 40],
        [420, 130],
        [660, 40],
        [860, 110],
        [1280, 60],
      ],
      c.lime,
      0.28,
    ) +
    starField(random, 90, 400) +
    peaks(random, 440, 150, "#2b4963", 7) +
    pines(random, 34, 490, 70, 130, "#1b3650") +
    cut("M0 480Q400 430 640 470T1200 470V630H0Z", c.frost) +
    pines(random, 6, 540, 140, 230, c.night, -20, 330) +
    pines(random, 6, 540, 140, 240, c.night, 880, 1220) +
    glow(600, 500, 300, c.honey, 0.55) +
    lift(
      shape(
        [
          [600, 210],
          [800, 540],
          [400, 540],
        ],
        c.oak,
      ),
      "high",
    ) +
    many(6, (i) => line(600 - 40 - i * 25, 300 + i * 40, 600 + 40 + i * 25, 300 + i * 40, c.brown, 3)) +
    shape(
      [
        [600, 300],
        [690, 450],
        [510, 450],
      ],
      c.honey,
    ) +
    line(600, 300, 600, 450, c.brown, 7) +
    line(534, 410, 666, 410, c.brown, 7) +
    rect(570, 462, 60, 78, c.vermilion, { round: 3 }) +
    circle(618, 504, 4, c.honey) +
    pen("M600 206L386 556", c.snow, 30) +
    pen("M600 206L814 556", c.snow, 30) +
    rect(690, 250, 34, 90, c.bark) +
    rect(684, 240, 46, 16, c.snow, { round: 8 }) +
    cut("M0 550Q300 520 600 540T1200 545V630H0Z", c.snow) +
    shape(
      [
        [570, 540],
        [630, 540],
        [690, 630],
        [510, 630],
      ],
      c.honey,
      { see: 0.5 },
    ) +
    snowfall(random, 50, 560)
  );
}

function cabinInMorningSnow(random) {
  return (
    sky("#f2c9ad", "#f7e0c4", c.cream) +
    sun(960, 170, 80, c.cream, [180, 130], c.cream) +
    peaks(random, 360, 190, "#d9b3ae", 6) +
    peaks(random, 410, 140, "#b897a4", 8) +
    pines(random, 30, 450, 40, 80, "#8f7f97") +
    cut("M0 330Q300 380 600 450T1200 470V630H0Z", "#dbe2e6") +
    pines(random, 7, 420, 110, 190, c.blue, 560, 1210) +
    cut("M0 400Q420 400 760 520T1200 560V630H0Z", c.snow) +
    pine(70, 420, 250, c.deep) +
    pine(150, 430, 190, c.blue) +
    pine(560, 470, 220, c.deep) +
    pine(640, 480, 160, c.blue) +
    pen("M434 190q-30 -30 0 -56t0 -60", c.cream, 14, { see: 0.8 }) +
    lift(rect(410, 200, 48, 120, c.mauve) + rect(230, 310, 270, 160, c.brown), "high") +
    many(6, (i) => line(230, 334 + i * 25, 500, 334 + i * 25, c.bark, 4)) +
    lift(cut("M190 324L350 196Q366 184 382 196L540 324Q530 344 500 330L366 232L230 330Q204 344 190 324Z", c.snow)) +
    shape(
      [
        [240, 322],
        [366, 232],
        [492, 322],
      ],
      c.brown,
    ) +
    rect(404, 190, 60, 18, c.snow, { round: 9 }) +
    smallWindow(262, 362, 60, 56, c.honey, c.bark) +
    rect(410, 366, 58, 104, c.deep) +
    circle(366, 284, 18, c.honey) +
    cut("M180 476q200 -30 350 6q-160 20 -350 -6Z", c.snow) +
    pen("M470 490Q640 520 700 590T900 660", c.dusk, 5, { see: 0.8 }) +
    pen("M450 496Q620 530 676 596T860 670", c.dusk, 5, { see: 0.8 }) +
    place(
      800,
      600,
      lift(rect(-84, -36, 170, 14, c.vermilion, { round: 7 }) + many(4, (i) => rect(-70 + i * 40, -40, 10, 22, c.brick))) +
        pen("M-90 0H90q30 0 30 -34", c.bark, 7) +
        line(-60, -24, -60, 0, c.bark, 6) +
        line(60, -24, 60, 0, c.bark, 6) +
        pen("M86 -30Q150 -60 180 -20", c.oak, 4),
    ) +
    snowfall(random, 40, 380)
  );
}

function lakeUnderThePeaks(random) {
  const peak = (x, top, w, fill, snow, base = 400) =>
    lift(
      shape(
        [
          [x - w, base],
          [x, top],
          [x + w, base],
        ],
        fill,
      ),
    ) +
    shape(
      [
        [x, top],
        [x + w, base],
        [x + w * 0.2, base],
      ],
      c.ink,
      { see: 0.14 },
    ) +
    shape(
      [
        [x, top],
        [x + w * 0.3, top + (base - top) * 0.3],
        [x + w * 0.12, top + (base - top) * 0.25],
        [x, top + (base - top) * 0.36],
        [x - w * 0.14, top + (base - top) * 0.24],
        [x - w * 0.3, top + (base - top) * 0.3],
      ],
      snow,
    );
  const range =
    peak(200, 190, 260, "#5d8893", c.foam) +
    peak(1010, 170, 280, "#5d8893", c.foam) +
    peak(420, 110, 300, c.steel, c.snow) +
    peak(800, 130, 290, "#3d6a7c", c.snow) +
    peak(610, 60, 300, c.deep, c.snow);
  return (
    sky("#bcd5cf", "#e8ead6") +
    cloud(180, 130, 240, c.cream, { see: 0.8 }) +
    cloud(1040, 110, 260, c.cream, { see: 0.8 }) +
    range +
    pines(random, 44, 410, 30, 70, c.pine) +
    rect(0, 404, 1200, 230, "#86b0b0") +
    inside(rect(0, 404, 1200, 230, c.ink), `<g opacity="0.45" transform="translate(0 808) scale(1 -1)">${range}</g>`) +
    many(16, () => dash(random.between(0, 1200), random.between(430, 560), random.between(60, 180), c.foam, 4, 0.55)) +
    cut("M0 540Q260 500 520 560T1200 590V630H0Z", c.pine) +
    lift(
      shape(
        [
          [250, 560],
          [370, 410],
          [490, 570],
        ],
        c.vermilion,
      ),
      "high",
    ) +
    shape(
      [
        [370, 410],
        [490, 570],
        [410, 566],
      ],
      c.brick,
    ) +
    shape(
      [
        [330, 565],
        [364, 440],
        [392, 567],
      ],
      c.ink,
    ) +
    pine(80, 560, 220, c.shade) +
    pine(160, 570, 150, c.shade) +
    pine(1130, 610, 260, c.shade) +
    pine(1030, 606, 160, c.shade) +
    gull(880, 70, 20) +
    gull(930, 96, 15)
  );
}

export default { "snow-cabin": [cabinUnderNorthernLights, cabinInMorningSnow], mountains: [lakeUnderThePeaks] };
