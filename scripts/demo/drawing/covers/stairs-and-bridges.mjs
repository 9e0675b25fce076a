// Stairs and bridges.

import { dash, flower, gull, hills, leafShape, roundTree, starField, waves } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { plantPot } from "../things.mjs";
import { archDoor, person } from "../town.mjs";

function whiteSteps() {
  const steps = many(12, (i) => {
    const [y, w] = [600 - i * 32, 430 - i * 22];
    return lift(rect(600 - w / 2, y, w, 36, i % 2 ? c.paper : c.cream)) + rect(600 - w / 2, y + 12, w, 24, i % 2 ? "#d8c7a2" : "#dfd0af");
  });
  return (
    sky("#3d8a98", "#7fb5b5") +
    cut("M500 250V120A100 100 0 0 1 700 120V250Z", c.cream) +
    lift(
      shape(
        [
          [0, 60],
          [250, 40],
          [470, 130],
          [470, 260],
          [385, 630],
          [0, 630],
        ],
        c.cream,
      ),
    ) +
    lift(
      shape(
        [
          [1200, 20],
          [900, 60],
          [730, 120],
          [730, 260],
          [815, 630],
          [1200, 630],
        ],
        c.paper,
      ),
    ) +
    lift(rect(0, 30, 240, 34, c.deep) + rect(920, 20, 300, 34, c.deep)) +
    steps +
    archDoor(600, 250, 92, 140, c.vermilion) +
    line(600, 130, 600, 250, c.brick, 3) +
    circle(614, 190, 5, c.honey) +
    lift(rect(60, 130, 100, 140, c.deep, { round: 4 })) +
    line(110, 130, 110, 270, c.cream, 5) +
    line(60, 200, 160, 200, c.cream, 5) +
    archDoor(270, 540, 80, 190, c.blue) +
    lift(rect(1000, 120, 100, 140, c.deep, { round: 4 })) +
    line(1050, 120, 1050, 260, c.paper, 5) +
    line(1000, 190, 1100, 190, c.paper, 5) +
    archDoor(940, 540, 84, 200, c.teal) +
    [
      [372, 590, 70],
      [398, 494, 58],
      [832, 590, 70],
      [800, 494, 58],
    ]
      .map(
        ([x, y, s], i) =>
          plantPot(x, y, s, s * 0.8, c.clay) +
          many(7, (k) => place(x, y - s * 0.85, leafShape(s * 0.9, s * 0.16, k % 2 ? c.fern : c.moss), { turn: (k - 3) * 24 })) +
          (i % 2 ? circle(x - 10, y - s * 1.4, 8, c.blush) + circle(x + 12, y - s * 1.5, 8, c.blush) : ""),
      )
      .join("") +
    place(
      190,
      420,
      many(16, (i) => place((i % 4) * 34 - 90, Math.floor(i / 4) * 24 - 40, flower(15, 5, i % 3 ? c.mauve : c.blush, c.honey))),
    ) +
    gull(620, 60, 24, c.cream)
  );
}

function stepsUpTheHill() {
  const step = (i) => [180 + i * 84, 560 - i * 46];
  const flight = `M180 640${Array.from({ length: 12 }, (_, i) => `L${step(i)[0]} ${step(i)[1]}h84`).join("")}L1220 ${step(11)[1]}V640Z`;
  const home = (x, y, w, h, wall) =>
    lift(rect(x, y, w, h, wall)) +
    archDoor(x + w * 0.5, y + h * 0.5, w * 0.2, h * 0.26, c.deep) +
    archDoor(x + w * 0.22, y + h * 0.5, w * 0.2, h * 0.26, c.deep) +
    archDoor(x + w * 0.78, y + h * 0.5, w * 0.2, h * 0.26, c.honey) +
    rect(x - 6, y - 8, w + 12, 14, c.cream);
  return (
    ground(c.ochre) +
    circle(300, 190, 104, c.honey) +
    circle(300, 190, 150, c.honey, { see: 0.3 }) +
    home(470, 250, 150, 300, "#d3904a") +
    home(600, 130, 190, 300, "#c98140") +
    home(790, 40, 170, 300, "#d3904a") +
    home(960, -30, 220, 200, "#c27839") +
    pen("M420 600Q430 400 412 250", c.oak, 13) +
    many(7, (i) => pen(`M412 250q${(i - 3) * 24} -50 ${(i - 3) * 36} ${20 - (3 - Math.abs(i - 3)) * 24}`, i % 2 ? c.fern : c.pine, 13)) +
    lift(cut(flight, c.paper), "high") +
    many(12, (i) => rect(step(i)[0], step(i)[1], 84, 12, c.cream) + rect(step(i)[0], step(i)[1] + 12, 10, 40, c.tan)) +
    cut("M264 640L1220 116V640Z", c.sand, { see: 0.9 }) +
    many(7, (i) => rect(560 + (i % 4) * 150, 590 - Math.floor(i / 4) * 90 + (i % 2) * 20, 60, 22, c.tan, { round: 5, see: 0.8 })) +
    cut("M880 640V470a60 60 0 0 1 120 0v170Z", c.oak) +
    cut("M892 640V474a48 48 0 0 1 96 0v166Z", c.brown) +
    place(560, 376, person({ h: 210, coat: c.teal, trousers: c.ink, hair: c.bark, hat: c.cream })) +
    place(
      606,
      322,
      lift(rect(-30, -36, 74, 56, c.vermilion, { round: 7 })) + pen("M-6 -36v-12h26v12", c.brick, 6) + rect(-30, -18, 74, 7, c.brick),
    ) +
    place(
      1080,
      98,
      pen("M-40 0q0 -30 30 -30h30l20 -20l6 20q6 30 -16 30Z", c.ink, 4) +
        cut("M-40 0q0 -30 30 -30h30l20 -20l6 20q6 30 -16 30Z", c.ink) +
        pen("M-38 -2q-30 0 -30 -34", c.ink, 8),
    ) +
    rect(0, 606, 270, 40, c.amber) +
    plantPot(110, 612, 92, 76, c.deep, c.blue) +
    many(9, (i) => place(110, 536, leafShape(150 - Math.abs(i - 4) * 12, 24, i % 2 ? c.fern : c.pine), { turn: (i - 4) * 20 }))
  );
}

function stoneBridge() {
  const arch = "M-20 350Q600 90 1220 350V430H890A290 160 0 0 0 310 430H-20Z";
  const rim = (i, rx, ry) => [600 + rx * Math.cos(((180 + i * 12) * Math.PI) / 180), 430 + ry * Math.sin(((180 + i * 12) * Math.PI) / 180)];
  return (
    sky("#f1cfa6", c.cream) +
    circle(930, 140, 74, c.honey) +
    cut("M0 300Q200 200 420 290T860 270T1200 290V430H0Z", "#9bb59d") +
    cut("M0 350Q300 280 600 340T1200 320V430H0Z", c.moss) +
    roundTree(90, 360, 260, c.fern) +
    roundTree(1120, 360, 280, c.pine) +
    rect(0, 424, 1200, 220, "#5f9a9c") +
    inside(rect(0, 424, 1200, 220, c.ink), `<g opacity="0.4" transform="translate(0 850) scale(1 -1)">${cut(arch, c.oak)}</g>`) +
    lift(cut(arch, "#b99a72"), "high") +
    pen("M310 430A290 160 0 0 1 890 430", c.oak, 6) +
    many(16, (i) => line(...rim(i, 290, 160), ...rim(i, 330, 196), c.oak, 5)) +
    pen("M-20 350Q600 90 1220 350", c.sand, 24) +
    many(8, (i) => rect((i > 3 ? 920 : 40) + (i % 4) * 62, 400 - (i % 2) * 34, 46, 14, c.oak, { see: 0.4, round: 3 })) +
    place(600, 216, person({ h: 150, coat: c.deep, trousers: c.ink, arm: "front" })) +
    line(640, 122, 640, 40, c.ink, 4) +
    lift(cut("M560 84A84 66 0 0 1 724 84Q704 70 682 84Q662 70 642 84Q622 70 602 84Q580 70 560 84Z", c.vermilion)) +
    many(10, (i) => dash([180, 380, 620, 860, 1040, 260, 520, 740, 980, 100][i], 450 + i * 17, 110, c.foam, 4, 0.6)) +
    cut("M0 600Q200 560 380 640H0Z", c.fern) +
    cut("M1200 590Q1020 560 860 640H1200Z", c.fern) +
    many(
      7,
      (i) => line(40 + i * 26, 620, 52 + i * 26, 510 + (i % 3) * 26, c.pine, 6) + oval(53 + i * 26, 502 + (i % 3) * 26, 7, 22, c.brown),
    ) +
    many(
      6,
      (i) =>
        line(1040 + i * 26, 620, 1030 + i * 26, 520 + (i % 3) * 26, c.pine, 6) + oval(1029 + i * 26, 512 + (i % 3) * 26, 7, 22, c.brown),
    )
  );
}

function redSuspensionBridge(random) {
  const cable = (x1, x2, y1, y2, sag) => pen(`M${x1} ${y1}Q${(x1 + x2) / 2} ${sag} ${x2} ${y2}`, c.vermilion, 9);
  const tower = (x) =>
    lift(
      rect(x - 34, 90, 20, 480, c.vermilion) +
        rect(x + 14, 90, 20, 480, c.vermilion) +
        many(4, (i) => rect(x - 34, 100 + i * 78, 68, 18, c.vermilion)) +
        rect(x - 44, 540, 88, 70, c.ink),
    );
  return (
    sky("#1c3b52", "#4d7683", "#b9b394", c.apricot) +
    starField(random, 36, 150) +
    circle(600, 390, 96, c.honey) +
    hills(random, 400, 36, "#56767c", 5) +
    hills(random, 440, 22, "#31566a", 6) +
    rect(0, 462, 1200, 170, c.deep) +
    many(9, (i) => dash(600 + (i % 2) * 12, 480 + i * 16, 180 - i * 14, c.honey, 5, 0.7)) +
    many(31, (i) => {
      const x = 300 + i * 20;
      const t = i / 30;
      return line(x, 100 + 4 * t * (1 - t) * 250, x, 400, c.brick, 3);
    }) +
    many(
      12,
      (i) =>
        line(20 + i * 20, 360 - i * 21, 20 + i * 20, 400, c.brick, 3) + line(1180 - i * 20, 360 - i * 21, 1180 - i * 20, 400, c.brick, 3),
    ) +
    cable(300, 900, 100, 100, 600) +
    line(-10, 394, 300, 100, c.vermilion, 9) +
    line(1210, 394, 900, 100, c.vermilion, 9) +
    rect(-10, 396, 1220, 24, c.brick) +
    many(30, (i) => circle(20 + i * 40, 392, 4, c.honey)) +
    tower(300) +
    tower(900) +
    waves(540, 8, 180, c.night) +
    waves(590, 8, 150, c.ink, 40) +
    place(590, 560, cut("M-70 -10H70L50 16H-50Z", c.cream) + rect(-24, -36, 44, 26, c.cream) + rect(-14, -30, 24, 10, c.deep)) +
    many(5, (i) => gull(480 + i * 60, 170 + (i % 2) * 30, 15, c.ink, 3))
  );
}

export default { stairs: [whiteSteps, stepsUpTheHill], bridge: [stoneBridge, redSuspensionBridge] };
