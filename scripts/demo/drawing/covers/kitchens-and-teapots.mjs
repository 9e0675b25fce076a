// Kitchens and teapots.

import { leafShape } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, ground, lift, line, many, oval, pen, place, rect, ring, shape } from "../shapes.mjs";
import { cup, jar, lemon, plantPot, steam } from "../things.mjs";

const tiles = (fill, bottom) =>
  many(20, (i) => line(i * 64, 0, i * 64, bottom, fill, 3)) + many(8, (i) => line(0, i * 64 + 10, 1200, i * 64 + 10, fill, 3));

function stoveAndShelf() {
  const hanging = [
    [90, "spoon"],
    [160, "ladle"],
    [230, "spoon"],
  ]
    .map(
      ([x, kind]) =>
        line(x, 96, x, 220, c.wood, 8) +
        (kind === "spoon" ? oval(x, 244, 18, 32, c.wood) : circle(x, 246, 26, c.frost) + rect(x - 26, 220, 52, 24, "#a5c4be")),
    )
    .join("");
  return (
    ground("#a5c4be") +
    tiles("#b7d1ca", 420) +
    rect(0, 420, 1200, 210, c.deep) +
    rect(0, 404, 1200, 26, c.cream) +
    line(50, 96, 280, 96, c.ink, 7) +
    hanging +
    lift(rect(700, 196, 440, 18, c.oak)) +
    jar(760, 196, 70, 100, c.foam, c.ochre, c.ink) +
    jar(845, 196, 70, 120, c.foam, c.clay, c.ink, 0.6) +
    jar(930, 196, 70, 90, c.foam, c.moss, c.ink, 0.8) +
    plantPot(1050, 196, 76, 56, c.clay) +
    many(7, (i) => place(1050, 136, leafShape(86, 16, i % 2 ? c.moss : c.fern), { turn: (i - 3) * 26 })) +
    steam(470, 210, 130) +
    steam(530, 190, 150) +
    steam(590, 214, 120) +
    lift(rect(360, 392, 340, 16, c.ink, { round: 4 })) +
    lift(rect(400, 262, 260, 132, c.vermilion, { round: 26 }), "high") +
    rect(400, 262, 260, 40, c.brick, { round: 10 }) +
    rect(388, 250, 284, 22, c.vermilion, { round: 11 }) +
    rect(505, 224, 50, 30, c.ink, { round: 10 }) +
    rect(364, 306, 40, 22, c.ink, { round: 10 }) +
    rect(656, 306, 40, 22, c.ink, { round: 10 }) +
    rect(380, 440, 300, 190, c.night) +
    rect(420, 500, 220, 110, c.honey, { round: 10 }) +
    [430, 490, 570, 630].map((x) => circle(x, 466, 13, c.cream)).join("") +
    many(2, (i) => rect(60 + i * 160, 460, 140, 170, c.blue, { round: 6 }) + circle(180 + i * 30, 530, 8, c.honey)) +
    many(3, (i) => rect(730 + i * 155, 460, 140, 170, c.blue, { round: 6 }) + circle(752 + i * 155, 530, 8, c.honey)) +
    lift(rect(860, 396, 210, 14, c.wood, { round: 7 })) +
    lift(circle(920, 366, 32, c.honey) + circle(978, 370, 28, c.wheat) + circle(1026, 372, 25, c.honey)) +
    lift(rect(120, 312, 70, 92, c.cream, { round: 10 })) +
    line(140, 312, 120, 240, c.oak, 8) +
    line(156, 312, 160, 230, c.wood, 8) +
    line(172, 312, 196, 246, c.oak, 8)
  );
}

function boardAndPan() {
  const egg = (x, y, s) =>
    lift(
      place(
        x,
        y,
        cut("M-70 -20C-70 -80 40 -84 70 -30C100 20 60 76 0 70C-50 80 -80 30 -70 -20Z", c.cream) +
          circle(2, -4, 30, c.wheat) +
          circle(-6, -12, 8, c.honey),
        { scale: s },
      ),
    );
  return (
    ground("#2c6a6b") +
    many(12, (i) => rect(i * 108, 0, 44, 630, "#347676")) +
    many(7, (i) => rect(0, i * 108, 1200, 44, c.sea, { see: 0.35 })) +
    lift(rect(-20, 470, 250, 200, c.vermilion, { turn: [-14, 100, 560] })) +
    many(4, (i) => rect(-20, 492 + i * 40, 250, 8, c.cream, { turn: [-14, 100, 560] })) +
    lift(
      rect(545, 150, 100, 26, c.ink, { round: 13, turn: [-22, 400, 320] }) +
        rect(600, 146, 200, 34, c.ink, { round: 17, turn: [-22, 400, 320] }) +
        circle(390, 330, 230, c.ink),
      "high",
    ) +
    circle(390, 330, 198, "#22343f") +
    egg(330, 290, 1.15) +
    egg(460, 390, 1) +
    many(9, (i) => place(...around(390, 330, 150, 100 + i * 18), leafShape(26, 7, c.leaf), { turn: i * 50 })) +
    lift(rect(770, 210, 340, 330, c.wood, { round: 26, turn: [7, 940, 375] }), "high") +
    many(5, (i) => line(790, 260 + i * 58, 1090, 260 + i * 58, c.oak, 3, { turn: [7, 940, 375], see: 0.6 })) +
    circle(1082, 250, 13, "#2c6a6b") +
    lift(circle(880, 330, 66, c.honey)) +
    ring(880, 330, 52, c.cream, 6) +
    ring(880, 330, 36, c.cream, 5) +
    ring(880, 330, 20, c.cream, 4) +
    lift(cut("M960 300q70 -40 100 20q-50 40 -100 -20Z", c.leaf)) +
    many(4, (i) =>
      lift(place(850 + i * 44, 452, cut("M-40 0A40 40 0 0 1 40 0Z", c.cream) + pen("M-40 0A40 40 0 0 1 40 0", c.moss, 9), { turn: 12 })),
    ) +
    lift(
      place(
        1080,
        440,
        shape(
          [
            [-16, -150],
            [20, -140],
            [22, 40],
            [-16, 40],
          ],
          c.frost,
        ) + rect(-16, 40, 36, 130, c.ink, { round: 14 }),
        { turn: 14 },
      ),
    ) +
    lemon(720, 560, 66) +
    lift(place(690, 90, leafShape(130, 34, c.leaf, c.lime), { turn: 60 }))
  );
}

const bigTeapot = (fill, dark) =>
  pen("M190 -170C330 -220 340 10 176 -20", fill, 34) +
  cut("M-160 -60C-250 -60 -230 -190 -330 -200L-296 -232C-190 -220 -220 -150 -150 -140Z", fill) +
  cut("M-200 -110C-200 -210 -100 -236 0 -236S200 -210 200 -110C200 -10 110 30 0 30S-200 -10 -200 -110Z", fill) +
  cut("M-186 -50Q0 40 186 -50C160 14 90 30 0 30S-160 14 -186 -50Z", dark) +
  rect(-96, 22, 192, 18, dark, { round: 9 }) +
  cut("M-110 -226Q0 -310 110 -226Q0 -200 -110 -226Z", dark) +
  circle(0, -284, 22, fill);

function redTeapot() {
  return (
    ground("#9fc0b9") +
    circle(600, 290, 290, "#b6d0c7") +
    rect(0, 480, 1200, 150, c.cream) +
    many(24, (i) => rect(i * 52, 480, 26, 150, c.paper)) +
    rect(0, 472, 1200, 12, c.tan) +
    steam(206, 250, 150, c.cream, 12, 0.9) +
    lift(place(520, 480, bigTeapot(c.vermilion, c.brick), { scale: 1.15 }), "high") +
    many(
      5,
      (i) =>
        circle(400 + i * 60, 400 - Math.abs(i - 2) * -8, 15, c.cream, { see: 0.95 }) +
        circle(400 + i * 60, 400 + Math.abs(i - 2) * 8, 6, c.ochre),
    ) +
    lift(oval(960, 548, 130, 20, c.deep)) +
    cup(960, 544, 170, c.deep, c.amber) +
    steam(940, 400, 110, c.cream, 9, 0.9) +
    steam(985, 390, 130, c.cream, 9, 0.9) +
    lemon(140, 548, 54)
  );
}

function stackedTeapots() {
  const glass = (x, s, tea) =>
    place(
      x,
      540,
      lift(oval(0, 6, 78, 14, c.cream)) +
        cut("M-44 -150Q-44 -110 -26 -84Q-46 -40 -32 0H32Q46 -40 26 -84Q44 -110 44 -150Z", c.foam, { see: 0.6 }) +
        cut("M-39 -124Q-36 -104 -21 -83Q-40 -40 -28 -5H28Q40 -40 21 -83Q36 -104 39 -124Z", tea) +
        oval(0, -124, 39, 7, c.apricot) +
        oval(0, 0, 32, 6, c.brick),
      { scale: s },
    );
  const fig = (x, y) =>
    lift(
      cut(
        `M${x} ${y - 70}Q${x + 10} ${y - 40} ${x + 36} ${y - 22}Q${x + 48} ${y + 20} ${x} ${y + 24}Q${x - 48} ${y + 20} ${x - 36} ${y - 22}Q${x - 10} ${y - 40} ${x} ${y - 70}Z`,
        c.plum,
      ),
    ) + pen(`M${x - 22} ${y - 10}q-6 18 4 26`, c.violet, 5);
  return (
    ground(c.wheat) +
    many(11, (i) =>
      many(6, (k) =>
        place(
          60 + i * 110 + (k % 2) * 55,
          36 + k * 90,
          shape(
            [
              [0, -26],
              [15, 0],
              [0, 26],
              [-15, 0],
            ],
            c.honey,
            { see: 0.7 },
          ),
        ),
      ),
    ) +
    rect(0, 490, 1200, 140, c.night) +
    rect(0, 482, 1200, 12, c.deep) +
    lift(oval(490, 560, 300, 24, c.frost)) +
    lift(place(430, 520, bigTeapot(c.cream, c.mist), { scale: 0.95 }), "high") +
    lift(place(430, 300, bigTeapot(c.teal, c.sea), { scale: 0.56 })) +
    many(3, (i) => circle(370 + i * 60, 430, 14, c.aqua)) +
    glass(800, 1.25, c.vermilion) +
    glass(990, 1.25, c.clay) +
    fig(1120, 560) +
    fig(160, 570) +
    fig(90, 590)
  );
}

export default { kitchen: [stoveAndShelf, boardAndPan], teapot: [redTeapot, stackedTeapots] };
