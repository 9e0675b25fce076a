// Indoors: rainy windows and books.

import { hills, leafShape, rainfall } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, glow, ground, inside, lift, line, many, oval, pen, place, rect, shape } from "../shapes.mjs";
import { cup, plantPot, spine, steam } from "../things.mjs";

function sillInTheRain(random) {
  const view =
    rect(300, 60, 600, 440, "#8fb0b5") +
    hills(random, 330, 30, "#7299a0", 5) +
    hills(random, 390, 26, "#4f7f86", 6) +
    hills(random, 450, 18, c.sea, 6) +
    rainfall(random, 170, c.cream, { see: 0.55, length: 34, lean: -8 }) +
    many(26, () => oval(random.between(310, 890), random.between(70, 480), 5, 7, c.cream, { see: 0.75 }));
  const curtain = "M0 0H150Q150 180 60 300Q110 380 90 500H0Z";
  return (
    ground("#e3b48c") +
    lift(rect(280, 40, 640, 480, c.cream), "high") +
    inside(rect(300, 60, 600, 440, c.cream), view) +
    rect(590, 60, 20, 440, c.cream) +
    rect(300, 262, 600, 18, c.cream) +
    rect(160, 20, 880, 14, c.brown, { round: 7 }) +
    lift(
      place(196, 30, cut(curtain, c.ochre) + many(2, (i) => pen(`M${44 + i * 40} 0Q${50 + i * 40} 180 ${24 + i * 20} 290`, c.amber, 5))),
    ) +
    lift(
      place(1004, 30, cut(curtain, c.ochre) + many(2, (i) => pen(`M${44 + i * 40} 0Q${50 + i * 40} 180 ${24 + i * 20} 290`, c.amber, 5)), {
        flip: true,
      }),
    ) +
    lift(rect(230, 506, 740, 36, c.paper)) +
    rect(0, 600, 1200, 30, c.brown) +
    plantPot(790, 508, 96, 84, c.deep, c.blue) +
    many(9, (i) => place(790, 420, leafShape(140 - Math.abs(i - 4) * 10, 24, i % 2 ? c.fern : c.moss, c.lime), { turn: (i - 4) * 21 })) +
    cup(450, 508, 120, c.vermilion, c.bark) +
    steam(436, 410, 100, c.cream, 9, 0.9) +
    steam(470, 404, 120, c.cream, 9, 0.9) +
    lift(rect(540, 488, 130, 20, c.plum, { round: 3 }) + rect(550, 468, 120, 20, c.teal, { round: 3 }))
  );
}

function catInTheWindow(random) {
  const cat =
    cut(
      "M-70 0C-90 -90 -60 -130 -30 -146Q-60 -170 -58 -214L-56 -262L-24 -236Q0 -242 24 -236L56 -262L58 -214Q60 -170 30 -146C60 -130 90 -90 70 0Z",
      c.vermilion,
    ) +
    pen("M60 -10C140 0 130 -70 170 -60", c.vermilion, 22) +
    circle(-22, -204, 7, c.ink) +
    circle(22, -204, 7, c.ink) +
    shape(
      [
        [-7, -188],
        [7, -188],
        [0, -179],
      ],
      c.ink,
    ) +
    pen("M-10 -172q5 6 10 0q5 6 10 0", c.ink, 3) +
    many(3, (i) => line(-14 + i * 14, -238, -14 + i * 14, -222, c.brick, 6)) +
    cut("M-30 -10Q0 -120 30 -10Z", c.apricot);
  return (
    ground("#1d3f50") +
    many(12, (row) =>
      many(11, (i) => rect(i * 124 - 60 + (row % 2) * 62, row * 54, 116, 46, random.pick(["#234a5c", "#264f61", "#20465a"]), { round: 3 })),
    ) +
    glow(600, 290, 420, c.honey, 0.5) +
    lift(rect(390, 60, 420, 440, c.cream), "high") +
    inside(
      rect(412, 82, 376, 400, c.honey),
      rect(412, 82, 376, 400, c.honey) +
        cut("M412 82h120q0 180 -120 260Z", c.cream, { see: 0.9 }) +
        cut("M788 82h-120q0 180 120 260Z", c.cream, { see: 0.9 }) +
        line(600, 82, 600, 150, c.ink, 4) +
        cut("M556 186Q600 110 644 186Z", c.teal) +
        rect(412, 420, 376, 70, c.wheat) +
        place(600, 484, cat, { scale: 1.05 }),
    ) +
    rect(594, 82, 12, 20, c.cream) +
    lift(rect(360, 492, 480, 30, c.paper)) +
    lift(rect(250, 60, 120, 440, c.teal) + rect(830, 60, 120, 440, c.teal)) +
    many(11, (i) => rect(264, 82 + i * 37, 92, 22, c.sea) + rect(844, 82 + i * 37, 92, 22, c.sea)) +
    rainfall(random, 150, c.foam, { length: 60, lean: -18, width: 3, see: 0.5 })
  );
}

function crowdedShelf(random) {
  const fills = [c.teal, c.deep, c.ochre, c.cream, c.pine, c.blush, c.wheat, c.plum, c.aqua, c.sand, c.steel, c.moss];
  const row = (foot, from, to) => {
    let text = "";
    for (let x = from; x < to; ) {
      const w = random.between(30, 60);
      if (x + w > to) break;
      text += spine(x, foot, w, random.between(150, 215), random.pick(fills), random.pick([c.cream, c.honey, c.ink]));
      x += w + 2;
    }
    return text;
  };
  const shelf = (y) => lift(rect(0, y, 1200, 26, c.oak)) + rect(0, y + 20, 1200, 6, c.brown);
  return (
    ground(c.brown) +
    rect(0, 26, 1200, 600, c.bark) +
    shelf(0) +
    lift(row(284, 20, 450)) +
    lift(place(500, 284, spine(0, 0, 56, 210, c.vermilion, c.cream), { turn: -14 })) +
    lift(row(284, 690, 1180)) +
    shelf(284) +
    plantPot(632, 284, 80, 60, c.cream, c.paper) +
    many(9, (i) => place(632, 220, leafShape(86, 13, i % 2 ? c.moss : c.leaf), { turn: (i - 4) * 20 })) +
    lift(row(588, 20, 330)) +
    lift(
      many(
        5,
        (i) =>
          rect(360 + (i % 2) * 14, 560 - i * 32, 230 - i * 12, 29, fills[i + 2], { round: 4 }) +
          rect(384 + (i % 2) * 14, 560 - i * 32, 12, 29, c.cream, { see: 0.8 }),
      ),
    ) +
    circle(470, 388, 40, c.ochre) +
    line(470, 428, 470, 432, c.ink, 8) +
    pen("M436 380q34 30 68 0", c.amber, 4) +
    lift(row(588, 640, 1180)) +
    shelf(588)
  );
}

function readingOnTheStack() {
  const book = (y, w, fill, shift) =>
    lift(rect(600 - w / 2 + shift, y, w, 62, fill, { round: 8 })) +
    rect(600 + w / 2 - 30 + shift, y + 8, 40, 46, c.cream, { round: 4 }) +
    many(3, (i) => line(600 + w / 2 - 26 + shift, y + 19 + i * 12, 600 + w / 2 + 6 + shift, y + 19 + i * 12, c.tan, 2)) +
    rect(600 - w / 2 + 40 + shift, y, 14, 62, c.honey) +
    rect(600 - w / 2 + 62 + shift, y, 6, 62, c.honey);
  const reader =
    line(10, -34, 96, -30, c.ink, 40) +
    line(96, -30, 100, 66, c.ink, 34) +
    lift(cut("M-44 -10Q-60 -170 0 -180Q52 -170 40 -10Z", c.vermilion)) +
    circle(6, -214, 37, "#c98d68") +
    cut("M-36 -206A40 42 0 0 1 44 -226Q10 -232 0 -210Q-10 -180 -36 -206Z", c.ink) +
    line(6, -136, 70, -96, c.brick, 24) +
    lift(
      shape(
        [
          [56, -150],
          [110, -132],
          [110, -66],
          [56, -84],
        ],
        c.cream,
      ) +
        shape(
          [
            [110, -132],
            [150, -150],
            [150, -84],
            [110, -66],
          ],
          c.paper,
        ),
    );
  return (
    ground(c.ochre) +
    circle(600, 300, 270, c.wheat) +
    circle(600, 300, 200, c.honey, { see: 0.7 }) +
    rect(0, 586, 1200, 44, c.amber) +
    book(524, 560, c.deep, 0) +
    book(462, 480, c.teal, -24) +
    book(400, 520, c.plum, 20) +
    book(338, 400, c.cream, -10) +
    book(276, 340, c.pine, 6) +
    place(560, 282, reader) +
    lift(
      spine(170, 586, 58, 230, c.deep, c.cream) + spine(230, 586, 44, 190, c.cream, c.teal) + spine(276, 586, 50, 210, c.clay, c.honey),
    ) +
    plantPot(1020, 586, 120, 100, c.deep, c.blue) +
    many(9, (i) => place(1020, 486, leafShape(190 - Math.abs(i - 4) * 14, 28, i % 2 ? c.fern : c.pine), { turn: (i - 4) * 20 }))
  );
}

export default { "window-rain": [sillInTheRain, catInTheWindow], books: [crowdedShelf, readingOnTheStack] };
