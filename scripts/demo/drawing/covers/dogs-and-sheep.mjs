// Dogs and sheep.

import { cloud, fullMoon, grass, hills, snowfall, starField } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { house } from "../town.mjs";

function dogInAScarf() {
  const coat = "#b9793f";
  return (
    ground("#2d6a70") +
    circle(600, 330, 280, "#37787c") +
    rect(0, 560, 1200, 70, c.sea) +
    lift(cut("M400 640C380 480 430 400 500 370H690C770 410 810 500 800 640Z", coat), "high") +
    cut("M540 640C530 540 560 470 600 460C650 470 670 540 660 640Z", c.cream) +
    pen("M790 600Q900 600 890 480", coat, 40) +
    lift(cut("M450 250C450 130 520 80 600 80S750 130 750 250C750 340 700 420 600 420S450 340 450 250Z", coat), "high") +
    cut("M560 92Q600 76 640 92C640 170 650 220 700 300C710 370 660 416 600 416S490 370 500 300C550 220 560 170 560 92Z", c.cream) +
    lift(cut("M480 130C400 120 360 220 380 330C420 340 470 290 490 200Z", c.brown)) +
    lift(cut("M720 130C800 120 840 220 820 330C780 340 730 290 710 200Z", c.brown)) +
    circle(535, 236, 17, c.ink) +
    circle(665, 236, 17, c.ink) +
    circle(540, 230, 5, c.cream) +
    circle(670, 230, 5, c.cream) +
    cut("M560 296q40 -26 80 0q-6 40 -40 44q-34 -4 -40 -44Z", c.ink) +
    pen("M600 340v22q-30 26 -54 4M600 362q30 26 54 4", c.ink, 5) +
    cut("M580 372q20 10 40 0q4 40 -20 40t-20 -40Z", c.rose) +
    lift(cut("M456 400Q600 480 744 400Q770 440 750 466Q600 540 450 466Q432 440 456 400Z", c.vermilion)) +
    lift(
      shape(
        [
          [690, 470],
          [750, 456],
          [780, 590],
          [710, 600],
        ],
        c.vermilion,
      ),
    ) +
    many(5, (i) => line(716 + i * 14, 598 - i * 2, 718 + i * 14, 618 - i * 2, c.brick, 6)) +
    pen("M460 432Q600 506 744 432", c.brick, 7) +
    many(5, (i) => circle(126 + i * 26, 514 - (i % 2) * 8, 18, c.oak)) +
    lift(cut("M86 520H270L296 586H60Z", c.ochre)) +
    rect(80, 512, 196, 16, c.honey, { round: 8 }) +
    lift(place(1030, 580, circle(0, 0, 40, c.honey) + pen("M-34 -16Q0 4 34 -16M-34 18Q0 0 34 18", c.cream, 5)))
  );
}

function dachshundWithALetter() {
  const coat = c.bark;
  const dog =
    pen("M-300 -120Q-380 -150 -390 -220", coat, 20) +
    [-250, -206, 170, 214]
      .map(
        (x, i) => line(x, -70, x + (i % 2 ? 34 : -34), 0, i % 2 ? "#2c1a18" : coat, 32) + oval(x + (i % 2 ? 44 : -26), 4, 28, 13, c.wood),
      )
      .join("") +
    lift(
      cut(
        "M-310 -110C-310 -170 -260 -180 -200 -176C-60 -190 80 -186 190 -190Q240 -210 250 -170C260 -110 240 -60 180 -56C60 -40 -100 -44 -230 -50C-290 -50 -310 -70 -310 -110Z",
        coat,
      ),
    ) +
    lift(
      cut("M170 -150C190 -240 220 -290 300 -296C360 -300 380 -270 440 -250Q470 -236 456 -216Q380 -190 330 -200Q300 -150 240 -110Z", coat),
    ) +
    cut("M380 -226Q420 -246 458 -226Q450 -208 400 -204Z", c.wood) +
    circle(450, -240, 13, c.ink) +
    circle(340, -258, 9, c.cream) +
    circle(342, -258, 5, c.ink) +
    lift(cut("M290 -292C240 -290 220 -230 236 -176C262 -170 296 -210 306 -262Z", "#2c1a18")) +
    pen("M196 -178Q240 -150 262 -142", c.vermilion, 22) +
    circle(240, -134, 13, c.honey);
  return (
    ground(c.wheat) +
    rect(0, 0, 1200, 420, "#efcf8c") +
    many(5, (i) =>
      house(
        140 + i * 250,
        424,
        150,
        130 + (i % 2) * 30,
        [c.cream, c.blush, c.mist, c.sand, c.cream][i],
        [c.deep, c.brown, c.deep, c.teal, c.brown][i],
        { lit: c.deep },
      ),
    ) +
    rect(0, 420, 1200, 30, c.moss) +
    rect(0, 446, 1200, 190, c.tan) +
    many(
      9,
      (i) =>
        rect(i * 150 - (i % 2) * 20, 460, 140, 60, c.sand, { round: 5, see: 0.6 }) +
        rect(i * 150 - 70, 528, 140, 90, c.sand, { round: 5, see: 0.6 }),
    ) +
    oval(580, 582, 330, 20, c.ink, { see: 0.25 }) +
    place(540, 574, dog, { scale: 1.1 }) +
    lift(
      place(
        1052,
        346,
        rect(-66, -42, 132, 84, c.cream, { round: 4 }) + pen("M-66 -40L0 12L66 -40", c.tan, 5) + circle(0, 10, 11, c.vermilion),
        { turn: 12 },
      ),
      "high",
    )
  );
}

const woolly = (w, fill) =>
  [
    [-0.42, -0.1, 0.24],
    [-0.3, -0.34, 0.24],
    [-0.05, -0.42, 0.27],
    [0.22, -0.36, 0.25],
    [0.4, -0.12, 0.24],
    [0.24, 0.12, 0.24],
    [-0.04, 0.16, 0.25],
    [-0.3, 0.1, 0.23],
    [0, -0.12, 0.36],
  ]
    .map(([x, y, r]) => circle(x * w, y * w, r * w, fill))
    .join("");

const sheep = (fill, face = c.ink, jersey = "") =>
  line(-40, 30, -40, 84, face, 13) +
  line(-14, 34, -14, 84, face, 13) +
  line(30, 34, 30, 84, face, 13) +
  line(54, 26, 54, 80, face, 13) +
  lift(woolly(150, fill)) +
  jersey +
  lift(cut("M74 -70Q120 -76 132 -40Q138 -4 110 4Q84 0 74 -30Z", face) + oval(70, -56, 24, 11, face, { turn: [24, 70, -56] })) +
  circle(88, -76, 22, fill) +
  circle(108, -42, 5, c.cream);

function flockOnTheHill(random) {
  const jersey = inside(
    woolly(150, c.ink),
    rect(-80, -110, 130, 200, c.vermilion) + many(4, (i) => rect(-66 + i * 34, -110, 9, 200, c.cream, { see: 0.9 })),
  );
  const spots = [
    [180, 330, 0.6, 0],
    [330, 300, 0.5, 1],
    [520, 320, 0.62, 0],
    [880, 300, 0.55, 1],
    [1040, 340, 0.66, 0],
    [90, 440, 0.85, 1],
    [760, 380, 0.74, 1],
    [300, 450, 0.9, 0],
    [1060, 500, 1.1, 1],
    [140, 570, 1.1, 0],
  ];
  return (
    sky("#bcd8d6", "#e8ead6") +
    cloud(250, 110, 260, c.cream) +
    cloud(820, 80, 220, c.cream) +
    cloud(1080, 150, 150, c.cream, { see: 0.7 }) +
    hills(random, 260, 40, "#9fbf9f", 4) +
    cut("M0 330Q300 210 640 290T1200 270V630H0Z", c.leaf) +
    cut("M0 470Q400 330 800 430T1200 400V630H0Z", c.moss) +
    cut("M0 600Q500 480 1200 560V630H0Z", c.fern) +
    many(15, (i) => oval(20 + i * 84, 286 - Math.sin(i * 0.5) * 16, 34, 13, c.frost)) +
    spots.map(([x, y, s, flip]) => place(x, y, sheep(c.cream), { scale: s, flip: Boolean(flip) })).join("") +
    place(610, 490, sheep(c.cream, c.ink, jersey), { scale: 1.5 }) +
    grass(random, 50, 632, 14, 44, c.pine)
  );
}

function sheepAndYarn(random) {
  return (
    sky("#1b3049", "#31506a", "#5d7f8f") +
    starField(random, 60, 330) +
    fullMoon(980, 140, 74) +
    hills(random, 420, 50, "#274760", 4) +
    cut("M0 500Q500 420 1200 500V630H0Z", c.snow) +
    cut("M0 570Q600 520 1200 570V630H0Z", c.frost) +
    line(470, 430, 470, 560, c.ink, 26) +
    line(530, 440, 530, 566, c.ink, 26) +
    line(650, 440, 650, 566, c.ink, 26) +
    line(706, 430, 706, 556, c.ink, 26) +
    lift(place(590, 360, woolly(370, c.cream)), "high") +
    many(15, () => pen(`M${random.between(470, 690)} ${random.between(250, 420)}q14 -20 28 0t28 0`, c.tan, 5)) +
    lift(cut("M330 210Q420 176 460 220Q480 330 420 370Q350 380 320 300Z", c.ink), "high") +
    lift(oval(470, 238, 52, 20, c.ink, { turn: [22, 470, 238] }) + oval(306, 238, 46, 20, c.ink, { turn: [-26, 306, 238] })) +
    place(400, 206, woolly(92, c.cream)) +
    circle(364, 276, 9, c.cream) +
    circle(428, 276, 9, c.cream) +
    pen("M380 344q16 10 32 0", c.steel, 5) +
    lift(cut("M350 376Q440 420 500 350L520 390Q450 450 350 420Z", c.vermilion)) +
    pen("M380 410Q360 520 520 576T860 560", c.vermilion, 9) +
    lift(circle(920, 530, 66, c.vermilion), "high") +
    many(4, (i) => pen(`M${866 + i * 8} ${506 + i * 18}Q920 ${470 + i * 22} ${976 - i * 4} ${520 + i * 12}`, c.brick, 5)) +
    line(880, 420, 950, 560, c.wood, 10) +
    line(980, 420, 900, 560, c.wood, 10) +
    circle(880, 418, 11, c.honey) +
    circle(980, 418, 11, c.honey) +
    snowfall(random, 50)
  );
}

export default { dog: [dogInAScarf, dachshundWithALetter], sheep: [flockOnTheHill, sheepAndYarn] };
