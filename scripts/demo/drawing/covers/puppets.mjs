// Puppets and their stage.

import { flower } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape } from "../shapes.mjs";

function marionette() {
  const joint = (x, y) => circle(x, y, 9, c.brown);
  const limb = (x1, y1, x2, y2, fill, w) => lift(line(x1, y1, x2, y2, fill, w));
  const strings = [
    [540, 96, 566, 214],
    [660, 96, 634, 214],
    [440, 110, 400, 330],
    [760, 110, 812, 250],
    [500, 130, 520, 470],
    [700, 130, 712, 440],
  ];
  return (
    ground("#24525c") +
    circle(600, 330, 290, "#2e656c") +
    oval(600, 590, 400, 28, c.night, { see: 0.6 }) +
    strings.map(([a, b, d, e]) => line(a, b, d, e, c.cream, 2.5, { see: 0.9 })).join("") +
    lift(
      rect(400, 84, 400, 26, c.wood, { round: 13 }) +
        rect(586, 30, 28, 110, c.oak, { round: 12 }) +
        rect(470, 112, 260, 20, c.oak, { round: 10 }),
      "high",
    ) +
    limb(560, 460, 520, 500, c.ink, 40) +
    limb(516, 500, 506, 566, c.wood, 30) +
    limb(640, 460, 700, 480, c.ink, 40) +
    limb(706, 480, 740, 556, c.wood, 30) +
    lift(cut("M476 560h60v26h-84q0 -20 24 -26Z", c.bark)) +
    lift(cut("M722 550l56 -20l8 26l-76 26Z", c.bark)) +
    joint(518, 500) +
    joint(706, 482) +
    limb(540, 350, 460, 400, c.ochre, 36) +
    limb(456, 398, 404, 340, c.wood, 26) +
    circle(400, 332, 20, c.wood) +
    limb(660, 350, 746, 340, c.ochre, 36) +
    limb(750, 338, 812, 262, c.wood, 26) +
    circle(814, 254, 20, c.wood) +
    joint(457, 399) +
    joint(749, 339) +
    lift(cut("M530 330Q600 310 670 330L690 470Q600 500 510 470Z", c.vermilion), "high") +
    cut("M560 326L600 400L640 326Q600 318 560 326Z", c.cream) +
    many(3, (i) => circle(600, 412 + i * 24, 7, c.honey)) +
    rect(516, 446, 170, 16, c.ink) +
    rect(582, 296, 36, 34, c.oak) +
    lift(circle(600, 242, 70, c.wood)) +
    cut("M528 236Q530 160 600 160T672 236Q640 190 600 196T528 236Z", c.bark) +
    lift(
      shape(
        [
          [540, 196],
          [600, 104],
          [660, 196],
        ],
        c.teal,
      ),
    ) +
    rect(530, 186, 140, 18, c.cream, { round: 9 }) +
    circle(600, 106, 13, c.honey) +
    circle(576, 240, 8, c.ink) +
    circle(624, 240, 8, c.ink) +
    circle(600, 258, 11, c.clay) +
    circle(560, 266, 12, c.clay, { see: 0.5 }) +
    circle(640, 266, 12, c.clay, { see: 0.5 }) +
    pen("M574 278q26 22 52 0", c.ink, 5)
  );
}

function puppetStage() {
  const curtain = "M0 0H230Q220 200 120 330Q80 400 70 480H0Z";
  const folds = many(4, (i) => pen(`M${40 + i * 50} 0Q${44 + i * 46} 190 ${22 + i * 22} 350`, c.brick, 8));
  const fox =
    lift(
      shape(
        [
          [-70, -10],
          [-60, 130],
          [60, 130],
          [70, -10],
        ],
        c.deep,
      ),
    ) +
    lift(line(-56, 20, -116, -36, c.deep, 40)) +
    circle(-118, -40, 22, c.cream) +
    lift(line(56, 20, 110, 0, c.deep, 40)) +
    circle(114, -2, 22, c.cream) +
    lift(
      shape(
        [
          [-76, -150],
          [-64, -70],
          [0, -16],
          [64, -70],
          [76, -150],
          [30, -112],
          [-30, -112],
        ],
        c.amber,
      ),
    ) +
    shape(
      [
        [-64, -72],
        [-20, -66],
        [0, -16],
      ],
      c.cream,
    ) +
    shape(
      [
        [64, -72],
        [20, -66],
        [0, -16],
      ],
      c.cream,
    ) +
    circle(0, -22, 11, c.ink) +
    circle(-28, -84, 7, c.ink) +
    circle(28, -84, 7, c.ink);
  const king =
    lift(
      shape(
        [
          [-74, -10],
          [-66, 130],
          [66, 130],
          [74, -10],
        ],
        c.plum,
      ),
    ) +
    lift(line(-58, 20, -110, -10, c.plum, 42)) +
    circle(-114, -12, 22, "#d9a27c") +
    lift(line(58, 20, 112, -46, c.plum, 42)) +
    circle(114, -50, 22, "#d9a27c") +
    rect(-12, -10, 24, 140, c.honey) +
    lift(circle(0, -70, 62, "#d9a27c")) +
    cut("M-62 -66Q-50 -56 -26 -52Q0 -66 26 -52Q50 -56 62 -66Q64 20 0 34Q-64 20 -62 -66Z", c.cream) +
    pen("M-14 -30q14 12 28 0", c.ink, 4) +
    circle(-22, -80, 6, c.ink) +
    circle(22, -80, 6, c.ink) +
    lift(
      shape(
        [
          [-56, -112],
          [-66, -180],
          [-30, -150],
          [0, -190],
          [30, -150],
          [66, -180],
          [56, -112],
        ],
        c.honey,
      ),
    );
  return (
    ground("#e0b366") +
    many(14, (i) => rect(i * 90, 0, 44, 630, "#e7c07a")) +
    lift(rect(190, 60, 820, 580, c.deep), "high") +
    rect(240, 120, 720, 330, "#2b5a73") +
    inside(
      rect(240, 120, 720, 330, c.ink),
      circle(600, 210, 60, c.paper) +
        many(4, (i) =>
          shape(
            [
              [250 + i * 190, 450],
              [340 + i * 190, 260 + (i % 2) * 50],
              [440 + i * 190, 450],
            ],
            c.sea,
          ),
        ) +
        place(470, 360, fox) +
        place(720, 360, king),
    ) +
    lift(
      place(240, 120, cut(curtain, c.vermilion) + folds, { scale: 0.72 }) +
        place(960, 120, cut(curtain, c.vermilion) + folds, { scale: 0.72, flip: true }),
    ) +
    lift(many(10, (i) => cut(`M${220 + i * 76} 90h76v46a38 38 0 0 1 -76 0Z`, i % 2 ? c.honey : c.cream))) +
    lift(cut("M170 96Q190 40 330 44Q440 -20 600 6Q760 -20 870 44Q1010 40 1030 96Z", c.brown)) +
    circle(600, 54, 26, c.honey) +
    lift(rect(170, 444, 860, 44, c.brown)) +
    many(7, (i) => place(270 + i * 110, 560, flower(26, 6, i % 2 ? c.aqua : c.honey, c.cream))) +
    [
      [90, 70, c.bark],
      [260, 56, c.ink],
      [420, 62, c.brown],
      [790, 58, c.ink],
      [950, 66, c.bark],
      [1110, 58, c.ink],
    ]
      .map(
        ([x, r, fill]) =>
          lift(circle(x, 610, r, fill)) + (r > 60 ? oval(x - r * 0.8, 570, 24, 34, fill) + oval(x + r * 0.8, 570, 24, 34, fill) : ""),
      )
      .join("")
  );
}

export default { puppet: [marionette, puppetStage] };
