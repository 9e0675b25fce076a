// Maps and markets.

import { c } from "../palette.mjs";
import { circle, cut, glow, ground, lift, line, many, oval, pen, place, rect, shape, sky, through } from "../shapes.mjs";
import { steam } from "../things.mjs";
import { awning, person } from "../town.mjs";

function villagePlan(random) {
  const street = (points, w) => pen(through(points), c.cream, w);
  const lots = [];
  for (let x = 20; x < 1200; x += 74)
    for (let y = 16; y < 630; y += 66)
      if (random.chance(0.78))
        lots.push(
          rect(
            x + random.between(-6, 6),
            y,
            random.between(30, 52),
            random.between(26, 42),
            random.pick([c.tan, c.apricot, c.blush, c.tan, c.wood]),
            { turn: [random.between(-12, 12), x + 20, y + 16], round: 2 },
          ),
        );
  const folds = many(
    5,
    (i) =>
      shape(
        [
          [(i + 1) * 200, 0],
          [(i + 1) * 200 + 60, 0],
          [(i + 1) * 200 + 60, 630],
          [(i + 1) * 200, 630],
        ],
        i % 2 ? c.ink : c.cream,
        { see: i % 2 ? 0.08 : 0.2 },
      ) + line((i + 1) * 200, 0, (i + 1) * 200, 630, c.tan, 2),
  );
  return (
    ground(c.sand) +
    lots.join("") +
    cut("M740 400q90 -60 200 -10t60 150q-100 70 -210 30t-50 -170Z", c.leaf) +
    many(12, () => circle(random.between(770, 960), random.between(410, 540), random.between(10, 20), c.moss)) +
    pen("M-20 120C200 60 260 260 460 240S760 60 940 140S1140 320 1240 260", c.cream, 84) +
    pen("M-20 120C200 60 260 260 460 240S760 60 940 140S1140 320 1240 260", c.aqua, 66) +
    street(
      [
        [-20, 470],
        [200, 430],
        [420, 470],
        [640, 380],
        [720, 180],
        [760, -20],
      ],
      24,
    ) +
    street(
      [
        [420, 470],
        [430, 330],
        [380, 180],
        [420, -20],
      ],
      20,
    ) +
    street(
      [
        [640, 380],
        [860, 350],
        [1040, 380],
        [1240, 360],
      ],
      24,
    ) +
    street(
      [
        [200, 430],
        [170, 640],
      ],
      18,
    ) +
    street(
      [
        [420, 470],
        [520, 650],
      ],
      20,
    ) +
    street(
      [
        [1040, 380],
        [1060, 520],
        [1020, 650],
      ],
      18,
    ) +
    street(
      [
        [200, 430],
        [150, 260],
        [90, -20],
      ],
      18,
    ) +
    pen(
      through([
        [176, 600],
        [196, 440],
        [300, 444],
        [420, 470],
        [640, 380],
        [860, 350],
        [1010, 372],
      ]),
      c.deep,
      7,
      { "stroke-dasharray": "2 17" },
    ) +
    circle(176, 600, 14, c.deep) +
    lift(cut("M1020 372C980 300 960 280 960 240A62 62 0 0 1 1084 240C1084 280 1062 300 1020 372Z", c.vermilion), "high") +
    circle(1022, 238, 26, c.cream) +
    folds +
    place(
      300,
      300,
      lift(
        rect(-8, -36, 16, 40, c.deep) +
          shape(
            [
              [-34, 10],
              [-34, -20],
              [0, -44],
              [34, -20],
              [34, 10],
            ],
            c.deep,
          ) +
          rect(-10, -92, 20, 60, c.deep) +
          shape(
            [
              [-16, -90],
              [0, -130],
              [16, -90],
            ],
            c.deep,
          ),
      ),
    )
  );
}

function nightMarket() {
  const lantern = (x, y, s, fill) =>
    line(x, y - 90 * s, x, y - 40 * s, c.ink, 3) +
    glow(x, y, 130 * s, c.honey, 0.5) +
    lift(oval(x, y, 46 * s, 40 * s, fill)) +
    many(3, (i) => oval(x, y, 12 * s + i * 14 * s, 40 * s, "none", { stroke: c.cream, "stroke-width": 2, see: 0.5 })) +
    rect(x - 16 * s, y - 46 * s, 32 * s, 10 * s, c.ink) +
    rect(x - 16 * s, y + 36 * s, 32 * s, 10 * s, c.ink);
  const bowl = (x, y, fill) => cut(`M${x - 46} ${y - 44}H${x + 46}Q${x + 40} ${y} ${x} ${y}T${x - 46} ${y - 44}Z`, fill);
  return (
    sky("#2c2142", "#5a3a56", "#8c5560") +
    glow(600, 380, 620, c.honey, 0.35) +
    many(9, (i) => lantern(60 + i * 135, 82 + Math.sin(i * 0.8) * 16, 0.72, i === 4 ? c.honey : [c.ochre, c.apricot, c.cream][i % 3])) +
    awning(330, 180, 540, 90, 9, [c.vermilion, c.cream]) +
    awning(-30, 210, 300, 74, 6, [c.teal, c.cream]) +
    awning(930, 210, 300, 74, 6, [c.ochre, c.cream]) +
    rect(344, 240, 14, 330, c.ink) +
    rect(842, 240, 14, 330, c.ink) +
    place(510, 500, person({ h: 230, coat: c.teal, arm: "hip", hair: c.ink })) +
    place(720, 500, person({ h: 220, coat: c.cream, arm: "front", skin: "#a86f4c", hair: c.bark })) +
    lift(rect(330, 420, 540, 150, c.brown), "high") +
    rect(330, 420, 540, 20, c.oak) +
    many(4, (i) => bowl(410 + i * 124, 420, [c.deep, c.cream, c.deep, c.cream][i]) + steam(410 + i * 124, 362, 70, c.cream, 8, 0.8)) +
    many(5, (i) => rect(356 + i * 100, 466, 84, 80, c.bark, { round: 4 })) +
    lift(rect(-20, 430, 280, 140, "#3e2c3f")) +
    many(14, (i) => circle(20 + (i % 7) * 34, 424 - Math.floor(i / 7) * 24, 19, [c.apricot, c.wheat][i % 2])) +
    lift(rect(940, 430, 280, 140, "#3e2c3f")) +
    many(14, (i) => circle(970 + (i % 7) * 36, 424 - Math.floor(i / 7) * 24, 19, [c.moss, c.lime, c.plum][i % 3])) +
    rect(0, 560, 1200, 80, c.ink) +
    place(255, 620, person({ h: 250, coat: c.ochre, trousers: c.deep, bag: c.bark, skin: "#e0b088" })) +
    place(950, 622, person({ h: 240, coat: c.plum, skirt: true, hair: c.bark }), { flip: true })
  );
}

export default { map: [villagePlan], market: [nightMarket] };
