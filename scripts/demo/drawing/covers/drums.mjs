// Drums.

import { c } from "../palette.mjs";
import { circle, cut, ground, inside, lift, line, many, oval, pen, place, rect } from "../shapes.mjs";
import { bunting } from "../town.mjs";

function bigDrum() {
  const lacing = many(9, (i) => pen(`M${346 + i * 64} 220L${378 + i * 64} 470L${410 + i * 64} 220`, c.cream, 7));
  const stick = rect(-8, -250, 18, 270, c.wood, { round: 8 }) + oval(1, -262, 18, 26, c.sand);
  return (
    ground("#2d6d70") +
    [300, 250, 200].map((r, i) => circle(620, 260, r + 90, ["#33777a", "#3a8283", "#438d8c"][i])).join("") +
    rect(0, 520, 1200, 110, c.night) +
    oval(620, 552, 360, 30, c.ink, { see: 0.5 }) +
    lift(cut("M320 220V470A300 76 0 0 0 920 470V220Z", c.vermilion), "high") +
    inside(cut("M320 220V470A300 76 0 0 0 920 470V220Z", c.ink), rect(800, 180, 140, 400, c.brick, { see: 0.7 }) + lacing) +
    pen("M320 462A300 76 0 0 0 920 462", c.ochre, 34) +
    lift(oval(620, 214, 316, 84, c.ochre)) +
    oval(620, 206, 292, 72, c.cream) +
    oval(620, 206, 200, 46, c.paper) +
    lift(place(470, 170, stick, { turn: -34 }), "high") +
    lift(place(760, 190, stick, { turn: 30 }), "high") +
    many(
      3,
      (i) =>
        pen(`M${250 - i * 44} ${130 - i * 10}Q${210 - i * 46} 220 ${250 - i * 44} ${310 + i * 10}`, c.cream, 8, { see: 0.8 - i * 0.2 }) +
        pen(`M${990 + i * 44} ${130 - i * 10}Q${1030 + i * 46} 220 ${990 + i * 44} ${310 + i * 10}`, c.cream, 8, { see: 0.8 - i * 0.2 }),
    )
  );
}

function threeCongas() {
  const conga = (x, foot, w, h, fill, dark) =>
    lift(
      cut(
        `M${x - w * 0.42} ${foot - h}Q${x - w * 0.66} ${foot - h * 0.55} ${x - w * 0.3} ${foot}H${x + w * 0.3}Q${x + w * 0.66} ${foot - h * 0.55} ${x + w * 0.42} ${foot - h}Z`,
        fill,
      ),
      "high",
    ) +
    cut(
      `M${x + w * 0.1} ${foot - h}Q${x + w * 0.3} ${foot - h * 0.5} ${x + w * 0.1} ${foot}H${x + w * 0.3}Q${x + w * 0.66} ${foot - h * 0.55} ${x + w * 0.42} ${foot - h}Z`,
      dark,
    ) +
    pen(`M${x - w * 0.53} ${foot - h * 0.64}Q${x} ${foot - h * 0.56} ${x + w * 0.53} ${foot - h * 0.64}`, c.frost, 11) +
    pen(`M${x - w * 0.4} ${foot - h * 0.2}Q${x} ${foot - h * 0.14} ${x + w * 0.4} ${foot - h * 0.2}`, c.frost, 9) +
    many(5, (i) => line(x - w * 0.36 + i * w * 0.18, foot - h, x - w * 0.36 + i * w * 0.18, foot - h * 0.82, c.frost, 7)) +
    lift(oval(x, foot - h, w * 0.46, w * 0.12, c.frost)) +
    oval(x, foot - h - 3, w * 0.41, w * 0.095, c.cream);
  const walls = [c.blush, c.honey, c.mist, c.apricot, c.cream, c.aqua];
  return (
    ground("#f4d9a6") +
    many(
      6,
      (i) =>
        rect(i * 204 - 10, 110 + (i % 2) * 34, 200, 430, walls[i]) +
        rect(i * 204 - 10, 100 + (i % 2) * 34, 200, 20, c.cream) +
        many(
          2,
          (k) =>
            rect(i * 204 + 24 + k * 84, 200 + (i % 2) * 20, 50, 96, c.deep, { round: 25 }) +
            rect(i * 204 + 18 + k * 84, 296 + (i % 2) * 20, 62, 9, c.cream),
        ) +
        rect(i * 204 + 62, 400, 62, 140, i % 2 ? c.teal : c.oak),
    ) +
    rect(0, 520, 1200, 110, "#c99f6b") +
    many(3, (row) => many(16, (i) => oval(i * 82 + (row % 2) * 40, 544 + row * 32, 34, 11, c.tan, { see: 0.7 }))) +
    bunting(20, 56, 18, [c.deep, c.cream, c.ochre, c.teal], c.ink) +
    conga(330, 590, 230, 340, c.teal, c.sea) +
    conga(880, 590, 230, 340, c.ochre, c.amber) +
    conga(605, 612, 270, 400, c.vermilion, c.brick) +
    [
      [560, 186, -16],
      [656, 190, 18],
    ]
      .map(([x, y, t]) =>
        place(
          x,
          y,
          lift(
            rect(-24, -420, 48, 390, c.cream, { round: 18 }) +
              rect(-16, -60, 32, 60, "#8d5a3b", { round: 12 }) +
              cut("M-26 -14Q-26 -40 0 -40T26 -14L22 26Q16 34 12 26V4L8 30Q2 38 -2 30V4L-8 28Q-14 36 -18 26Z", "#8d5a3b"),
          ),
          { turn: t },
        ),
      )
      .join("")
  );
}

export default { drum: [bigDrum, threeCongas] };
