// The piano.

import { leafShape } from "../nature.mjs";
import { c } from "../palette.mjs";
import { ground, lift, line, many, oval, pen, place, rect, shape } from "../shapes.mjs";
import { plantPot, spine } from "../things.mjs";

function uprightPiano() {
  const keys =
    many(22, (i) => rect(396 + i * 20, 372, 18.5, 40, c.cream)) +
    many(21, (i) => ([2, 6].includes(i % 7) ? "" : rect(409 + i * 20, 372, 11, 25, c.ink)));
  const note = (x, y, s, fill) =>
    place(x, y, oval(0, 0, 24, 17, fill, { turn: -20 }) + line(20, -6, 20, -96, fill, 7) + pen("M20 -94Q50 -80 48 -44", fill, 8), {
      scale: s,
    });
  return (
    ground("#dca24a") +
    many(13, (i) => rect(i * 96, 0, 46, 530, "#e2ad59")) +
    rect(0, 530, 1200, 100, c.bark) +
    rect(0, 514, 1200, 20, c.brown) +
    lift(rect(370, 120, 492, 430, c.deep, { round: 8 }), "high") +
    rect(352, 104, 528, 30, c.night, { round: 6 }) +
    rect(400, 160, 200, 160, c.blue, { round: 6 }) +
    rect(632, 160, 200, 160, c.blue, { round: 6 }) +
    lift(
      shape(
        [
          [520, 330],
          [530, 208],
          [610, 214],
          [690, 208],
          [700, 330],
        ],
        c.cream,
      ),
    ) +
    line(610, 214, 610, 330, c.tan, 3) +
    many(5, (i) => line(542, 228 + i * 19, 596, 230 + i * 19, c.dusk, 3) + line(624, 230 + i * 19, 680, 228 + i * 19, c.dusk, 3)) +
    lift(rect(350, 360, 532, 62, c.night, { round: 6 })) +
    keys +
    rect(370, 446, 492, 104, c.night, { see: 0.5 }) +
    rect(352, 420, 40, 140, c.night) +
    rect(842, 420, 40, 140, c.night) +
    many(2, (i) => rect(590 + i * 34, 534, 20, 14, c.honey, { round: 4 })) +
    lift(rect(500, 480, 230, 34, c.vermilion, { round: 12 })) +
    line(526, 512, 516, 600, c.ink, 12) +
    line(704, 512, 714, 600, c.ink, 12) +
    lift(
      shape(
        [
          [760, 104],
          [786, 14],
          [826, 14],
          [852, 104],
        ],
        c.oak,
      ),
    ) +
    line(806, 92, 838, 30, c.honey, 6) +
    lift(spine(400, 104, 26, 84, c.teal, c.cream) + spine(428, 104, 22, 70, c.cream, c.teal) + spine(452, 104, 28, 78, c.plum, c.blush)) +
    note(960, 200, 1.2, c.ink) +
    note(1050, 130, 0.9, c.brown) +
    note(1110, 260, 1, c.ink) +
    note(250, 170, 1, c.ink) +
    note(170, 260, 0.8, c.brown) +
    plantPot(180, 540, 130, 110, c.teal, c.aqua) +
    many(9, (i) => place(180, 426, leafShape(160 - Math.abs(i - 4) * 10, 26, i % 2 ? c.fern : c.pine), { turn: (i - 4) * 20 }))
  );
}

export default { piano: [uprightPiano] };
