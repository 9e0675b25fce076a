// Bicycles and letters.

import { cloud, grass, hills, leafShape, roundTree } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, ground, lift, line, many, oval, pen, place, rect, ring, sky } from "../shapes.mjs";
import { envelope } from "../things.mjs";
import { archDoor, house } from "../town.mjs";

function bicycleAtTheWall(random) {
  const wheel = (x) =>
    ring(x, 430, 118, c.ink, 13) +
    ring(x, 430, 106, c.cream, 4) +
    many(12, (i) => line(x, 430, ...around(x, 430, 106, i * 30), c.foam, 2.5, { see: 0.9 })) +
    circle(x, 430, 13, c.ink);
  return (
    ground("#4f938f") +
    many(34, () => rect(random.between(0, 1180), random.between(0, 520), random.between(44, 80), 24, "#478885", { round: 4 })) +
    rect(0, 540, 1200, 90, c.sand) +
    many(10, (i) => rect(i * 130 - 20, 546, 120, 38, c.tan, { round: 4, see: 0.6 })) +
    lift(rect(820, 60, 250, 330, c.cream)) +
    rect(840, 80, 210, 290, c.deep) +
    line(945, 80, 945, 370, c.cream, 10) +
    line(840, 200, 1050, 200, c.cream, 10) +
    lift(rect(790, 376, 310, 40, c.brown, { round: 5 })) +
    many(15, (i) => place(810 + i * 20, 378, leafShape(44 + (i % 3) * 14, 10, i % 2 ? c.fern : c.moss), { turn: ((i % 5) - 2) * 16 })) +
    many(6, (i) => circle(826 + i * 48, 346 - (i % 2) * 14, 14, [c.blush, c.honey, c.cream][i % 3])) +
    lift(archDoor(170, 540, 200, 400, c.plum)) +
    pen("M70 540V240a100 100 0 0 1 200 0V540", c.cream, 14) +
    circle(230, 360, 9, c.honey) +
    oval(560, 548, 300, 14, c.ink, { see: 0.3 }) +
    wheel(400) +
    wheel(740) +
    lift(pen("M400 430L492 256L668 256L540 430ZM492 256L540 430", c.vermilion, 15) + pen("M656 206L668 256L740 430", c.vermilion, 14)) +
    pen("M478 214L492 256", c.ink, 10) +
    lift(cut("M430 206Q480 190 536 204Q540 220 500 222Q450 226 430 206Z", c.bark)) +
    pen("M656 206Q640 180 606 184M656 206Q690 186 720 200", c.ink, 10) +
    circle(540, 430, 26, c.ink) +
    circle(540, 430, 14, c.frost) +
    line(540, 430, 560, 480, c.ink, 9) +
    line(546, 484, 580, 478, c.ink, 10) +
    lift(cut("M676 216H800L786 300H690Z", c.wood)) +
    many(3, (i) => line(682 + i * 4, 236 + i * 22, 796 - i * 4, 236 + i * 22, c.oak, 5)) +
    lift(
      place(720, 214, rect(-12, -90, 24, 96, c.wheat, { round: 12, turn: -12 }) + rect(14, -80, 24, 90, c.ochre, { round: 12, turn: 8 })),
    ) +
    many(5, (i) => place(774, 214, leafShape(60, 12, i % 2 ? c.leaf : c.lime), { turn: (i - 2) * 20 }))
  );
}

function postboxOnTheLane(random) {
  const box =
    lift(
      rect(-90, -300, 180, 330, c.vermilion, { round: 10 }) +
        cut("M-104 -296Q-100 -370 0 -380T104 -296Z", c.vermilion) +
        rect(-108, -304, 216, 24, c.brick, { round: 10 }),
      "high",
    ) +
    rect(-58, -250, 116, 18, c.ink, { round: 6 }) +
    lift(rect(-46, -200, 92, 116, c.cream, { round: 4 })) +
    many(5, (i) => rect(-32, -184 + i * 19, 64 - (i % 2) * 18, 7, c.dusk)) +
    rect(-106, 20, 212, 34, c.ink, { round: 6 });
  const flying = [
    [640, 150, -14, 120, c.cream],
    [800, 240, 12, 140, c.paper],
    [960, 120, -8, 150, c.mist],
    [1070, 330, 16, 160, c.cream],
    [520, 90, 10, 90, c.blush],
    [880, 400, -10, 130, c.honey],
  ];
  return (
    sky("#8fbdbd", "#cfe0d2", c.cream) +
    cloud(170, 120, 240, c.cream) +
    hills(random, 400, 30, "#a9c29a", 4) +
    [
      [720, 420],
      [800, 410],
      [1000, 424],
    ]
      .map(([x, y], i) => house(x, y, 70, 50, [c.cream, c.blush, c.honey][i], [c.deep, c.brown, c.ink][i]))
      .join("") +
    roundTree(890, 430, 120, c.moss) +
    roundTree(110, 460, 260, c.fern) +
    cut("M0 450Q500 400 1200 450V630H0Z", c.leaf) +
    cut("M800 440Q640 500 420 560T100 640H560Q700 560 840 440Z", c.sand) +
    place(380, 540, box, { scale: 1.15 }) +
    pen("M440 268Q520 200 640 160T960 150", c.cream, 4, { "stroke-dasharray": "3 15" }) +
    flying
      .map(([x, y, turn, w, fill], i) => place(x, y, envelope(0, 0, w, w * 0.64, fill, c.tan, i === 3 ? c.teal : c.deep), { turn }))
      .join("") +
    grass(random, 80, 634, 26, 70, c.fern)
  );
}

export default { bicycle: [bicycleAtTheWall], letters: [postboxOnTheLane] };
