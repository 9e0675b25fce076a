// Trains and shoes.

import { dash, grass, hills, leafShape, pines, roundTree, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { cup, plantPot } from "../things.mjs";
import { house } from "../town.mjs";

function trainOnTheViaduct(random) {
  const wagon = (x, w, fill) =>
    lift(rect(x, 178, w, 82, fill, { round: 10 })) +
    rect(x, 168, w, 16, c.ink, { round: 8 }) +
    many(Math.floor(w / 48), (i) => rect(x + 18 + i * 46, 194, 32, 30, c.honey, { round: 5 })) +
    rect(x, 236, w, 8, c.cream) +
    circle(x + 36, 264, 14, c.ink) +
    circle(x + w - 36, 264, 14, c.ink);
  const arches = many(7, (i) => cut(`M${30 + i * 184} 640V420A62 76 0 0 1 ${154 + i * 184} 420V640Z`, i % 2 ? "#7fa58d" : "#86ab92"));
  return (
    sky("#f0c796", "#f6dfb8", c.cream) +
    sun(180, 170, 82, c.cream, [180, 130], c.cream) +
    hills(random, 300, 70, "#c8b58b", 4) +
    hills(random, 390, 50, "#a7b58a", 5) +
    hills(random, 470, 40, "#86ab92", 5) +
    pines(random, 18, 500, 60, 120, c.moss) +
    lift(cut("M-10 276H1210V640H-10Z", "#b9835a"), "high") +
    rect(0, 270, 1200, 30, c.brown) +
    arches +
    many(7, (i) => pen(`M${30 + i * 184} 420A62 76 0 0 1 ${154 + i * 184} 420`, c.brown, 10)) +
    many(8, (i) => rect(-28 + i * 184, 470, 56, 12, c.oak) + rect(-28 + i * 184, 560, 56, 12, c.oak)) +
    wagon(70, 250, c.deep) +
    wagon(336, 250, c.deep) +
    wagon(602, 250, c.deep) +
    lift(cut("M868 178h120v-34h110v116H868Z", c.vermilion)) +
    rect(890, 138, 24, 44, c.ink) +
    rect(980, 132, 124, 16, c.ink, { round: 5 }) +
    rect(1000, 162, 36, 40, c.honey) +
    rect(1050, 162, 36, 40, c.honey) +
    shape(
      [
        [868, 260],
        [838, 276],
        [1110, 276],
        [1098, 260],
      ],
      c.ink,
    ) +
    [890, 946, 1010, 1070].map((x, i) => circle(x, 262, i < 2 ? 17 : 24, c.ink) + circle(x, 262, 7, c.cream)).join("") +
    [
      [902, 106, 26],
      [860, 78, 34],
      [800, 60, 42],
      [720, 52, 34],
      [650, 40, 26],
    ]
      .map(([x, y, r]) => circle(x, y, r, c.cream, { see: 0.85 }))
      .join("") +
    hills(random, 600, 16, c.fern, 6) +
    pines(random, 9, 640, 60, 140, c.pine)
  );
}

function seatByTheWindow(random) {
  const seat =
    lift(cut("M0 640V300Q0 250 50 250H110Q160 250 170 320L190 470H290Q330 470 330 510V640Z", c.teal)) +
    rect(20, 236, 120, 70, c.cream, { round: 26 }) +
    many(3, (i) => pen(`M${40 + i * 40} 330V480`, c.sea, 5)) +
    line(190, 520, 320, 520, c.sea, 5);
  const view =
    sky("#a6cdc9", "#e6e6cd") +
    circle(740, 160, 56, c.cream) +
    hills(random, 260, 40, "#8db3a5", 5) +
    hills(random, 330, 24, c.lime, 5) +
    many(8, (i) => roundTree(240 + i * 110, 380, 70 + (i % 3) * 30, i % 2 ? c.fern : c.moss)) +
    rect(0, 370, 1200, 90, c.wheat) +
    many(9, (i) => line(200 + i * 100, 372, 160 + i * 130, 460, c.ochre, 5)) +
    house(520, 376, 70, 44, c.cream, c.deep);
  return (
    ground("#8a4a35") +
    lift(rect(200, 40, 800, 420, c.brown, { round: 46 }), "high") +
    inside(rect(224, 64, 752, 372, c.ink, { round: 32 }), view) +
    line(224, 120, 976, 120, c.brown, 7) +
    rect(0, 470, 1200, 160, "#6e3828") +
    rect(0, 462, 1200, 12, c.bark) +
    lift(rect(20, 16, 300, 14, c.honey) + rect(880, 16, 300, 14, c.honey)) +
    place(30, 20, seat) +
    place(1170, 20, seat, { flip: true }) +
    lift(rect(470, 470, 260, 18, c.oak, { round: 6 })) +
    rect(590, 486, 20, 160, c.oak) +
    cup(540, 470, 66, c.cream, c.bark) +
    lift(rect(620, 452, 96, 18, c.deep, { round: 3 })) +
    rect(628, 440, 84, 13, c.honey, { round: 3 }) +
    lift(
      place(
        910,
        434,
        rect(-90, -20, 180, 120, c.vermilion, { round: 12 }) +
          rect(-60, -20, 16, 120, c.brick) +
          rect(44, -20, 16, 120, c.brick) +
          pen("M-24 -20v-22h48v22", c.bark, 9),
      ),
      "high",
    )
  );
}

function bootsByTheDoor() {
  const boot =
    lift(cut("M0 0H130Q126 90 150 130Q260 150 268 220V246H-6Q-14 120 0 0Z", c.oak), "high") +
    rect(-12, 240, 286, 26, c.ink, { round: 8 }) +
    cut("M200 160Q262 180 268 220V240H190Q180 200 200 160Z", c.brown) +
    rect(-6, -8, 142, 26, c.brown, { round: 10 }) +
    many(4, (i) => line(98 + i * 7, 34 + i * 27, 140 + i * 8, 24 + i * 27, c.vermilion, 8)) +
    pen("M124 16q40 -30 60 4t-40 20M120 20q-30 -40 -54 -6t44 22", c.vermilion, 7);
  return (
    ground("#e5cda0") +
    many(16, (i) => rect(i * 80, 0, 38, 470, "#ead5ac")) +
    rect(0, 470, 1200, 160, c.wood) +
    many(5, (i) => line(0, 500 + i * 32, 1200, 500 + i * 32, c.oak, 3)) +
    rect(0, 448, 1200, 26, c.cream) +
    lift(rect(720, -20, 330, 492, c.teal), "high") +
    rect(750, 20, 270, 200, c.sea) +
    rect(750, 250, 270, 190, c.sea) +
    circle(750 + 14, 236, 13, c.honey) +
    rect(764, 34, 242, 172, "#bcd8d6") +
    line(885, 34, 885, 206, c.sea, 10) +
    line(764, 120, 1006, 120, c.sea, 10) +
    line(120, 120, 520, 120, c.oak, 16) +
    many(4, (i) => pen(`M${160 + i * 105} 120v20q0 16 14 16`, c.ink, 7)) +
    lift(cut("M150 146Q176 130 196 146L240 380Q180 400 110 380Z", c.deep)) +
    line(174, 150, 176, 384, c.night, 4) +
    lift(oval(300, 170, 66, 16, c.ochre) + cut("M262 168q0 -44 38 -44t38 44Z", c.ochre)) +
    lift(cut("M470 146l34 0l20 150l-40 10l-6 -110l-20 110l-34 -10Z", c.plum)) +
    lift(oval(470, 560, 330, 44, c.plum)) +
    oval(470, 556, 290, 32, c.violet) +
    place(250, 296, boot) +
    place(470, 310, boot) +
    plantPot(1120, 560, 110, 110, c.deep, c.blue) +
    many(7, (i) => place(1120, 446, leafShape(190 - Math.abs(i - 3) * 16, 32, i % 2 ? c.fern : c.moss), { turn: (i - 3) * 18 }))
  );
}

function runningShoe(random) {
  const shoe =
    lift(
      cut("M-300 60C-310 -40 -300 -120 -270 -170Q-220 -150 -170 -180Q-130 -210 -90 -200L60 -60Q200 -30 270 0Q310 20 310 70Z", c.vermilion),
      "high",
    ) +
    cut("M-300 60Q-306 -30 -296 -90Q-200 -60 -160 70Z", c.brick) +
    cut("M160 -38Q250 -10 276 4Q310 24 310 70H170Q130 20 160 -38Z", c.brick) +
    cut("M-40 70Q40 40 70 -56L36 -84Q-20 20 -140 70Z", c.cream) +
    cut("M-92 -200L60 -60Q20 -50 -10 -66L-150 -190Q-120 -208 -92 -200Z", c.paper) +
    many(5, (i) => line(-96 + i * 30, -162 + i * 26, -62 + i * 30, -190 + i * 27, c.ink, 9)) +
    cut("M-270 -170Q-220 -150 -170 -180Q-190 -120 -290 -110Q-284 -144 -270 -170Z", c.ink) +
    lift(cut("M-316 56H316Q330 90 300 110H-290Q-330 100 -316 56Z", c.cream)) +
    many(12, (i) => rect(-280 + i * 49, 100, 32, 18, c.ink, { round: 4 }));
  return (
    sky("#f2b978", "#f7d7a2", c.cream) +
    sun(890, 250, 120, c.cream, [250, 185], c.honey) +
    hills(random, 350, 40, "#c9ae7b", 4) +
    hills(random, 410, 30, "#9fab7c", 5) +
    many(9, (i) => line(720 + i * 50, 420, 720 + i * 50, 370, c.bark, 4) + oval(720 + i * 50, 352, 46, 12, c.fern)) +
    rect(0, 430, 1200, 200, c.pine) +
    shape(
      [
        [1010, 430],
        [1060, 430],
        [900, 640],
        [-60, 640],
        [-60, 560],
      ],
      c.tan,
    ) +
    oval(520, 552, 360, 26, c.ink, { see: 0.35 }) +
    place(510, 440, `<g transform="scale(1.16 0.92)">${shoe}</g>`, { turn: -4 }) +
    many(4, (i) => dash(120 - (i % 2) * 40, 300 + i * 56, 130 + (i % 2) * 40, c.cream, 9, 0.9)) +
    [
      [150, 560, 26],
      [96, 580, 18],
      [196, 590, 14],
    ]
      .map(([x, y, r]) => circle(x, y, r, c.cream, { see: 0.6 }))
      .join("") +
    grass(random, 26, 634, 20, 60, c.fern, 900, 1200)
  );
}

export default { train: [trainOnTheViaduct, seatByTheWindow], shoes: [bootsByTheDoor, runningShoe] };
