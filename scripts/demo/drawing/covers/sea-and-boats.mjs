// The sea and boats.

import { dash, gull, halo, ripple, sun, waves } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, ground, lift, line, many, oval, pen, place, rect, shape, sky, through } from "../shapes.mjs";

function rollingSea() {
  const crest = (x, y, s, fill, edge) =>
    lift(
      place(
        x,
        y,
        cut("M-330 240C-240 200 -210 20 -60 -60C40 -112 150 -90 190 -10C140 -44 80 -30 66 20C52 80 110 120 330 240Z", edge) +
          cut("M-300 246C-214 206 -190 50 -56 -28C20 -72 110 -70 150 -34C90 -40 44 -6 40 36C38 100 110 150 300 250Z", fill) +
          cut("M-236 250C-170 210 -150 110 -60 50C-20 24 10 10 24 10C0 80 60 170 190 250Z", c.teal, { see: 0.6 }),
        { scale: s },
      ),
    );
  return (
    sky("#f7dcb5", c.cream) +
    sun(890, 200, 110, c.vermilion, [230, 168], c.apricot) +
    gull(250, 120, 40) +
    gull(330, 160, 26) +
    gull(640, 90, 22) +
    waves(360, 26, 300, c.aqua) +
    crest(560, 330, 0.8, c.sea, c.cream) +
    waves(430, 24, 260, c.teal, 60) +
    crest(930, 400, 0.75, c.deep, c.foam) +
    crest(240, 380, 1.05, c.deep, c.cream) +
    waves(530, 26, 240, c.blue, 20) +
    waves(570, 20, 200, c.night, 80)
  );
}

function shoreFromAbove(random) {
  const edge = (shift) =>
    `${through([
      [-60, 470 + shift],
      [140, 400 + shift],
      [330, 420 + shift],
      [520, 330 + shift],
      [720, 300 + shift],
      [900, 190 + shift],
      [1080, 170 + shift],
      [1280, 60 + shift],
    ])}L1280 -60L-60 -60Z`;
  const wedge = (i) =>
    cut(
      `M0 0L${92 * Math.cos((i * 45 * Math.PI) / 180)} ${92 * Math.sin((i * 45 * Math.PI) / 180)}A92 92 0 0 1 ${92 * Math.cos(((i + 1) * 45 * Math.PI) / 180)} ${92 * Math.sin(((i + 1) * 45 * Math.PI) / 180)}Z`,
      i % 2 ? c.cream : c.vermilion,
    );
  return (
    ground(c.sand) +
    many(120, () => circle(random.between(0, 1200), random.between(150, 630), random.between(1, 2.6), c.tan)) +
    cut(edge(36), c.tan) +
    lift(cut(edge(14), c.cream)) +
    cut(edge(-16), c.mist) +
    lift(cut(edge(-40), c.foam)) +
    cut(edge(-62), c.aqua) +
    cut(edge(-140), c.teal) +
    cut(edge(-240), c.sea) +
    cut(edge(-350), c.deep) +
    many(12, () => ripple(random.between(40, 700), random.between(20, 180), 70, c.mist, 4, 0.5)) +
    lift(rect(690, 420, 90, 160, c.cream, { round: 6, turn: [18, 735, 500] })) +
    rect(690, 445, 90, 16, c.teal, { turn: [18, 735, 500] }) +
    rect(690, 540, 90, 16, c.teal, { turn: [18, 735, 500] }) +
    lift(place(880, 440, many(8, wedge) + circle(0, 0, 7, c.ink)), "high") +
    lift(circle(1060, 540, 24, c.ochre)) +
    many(5, (i) => oval(560 - i * 52, 470 + i * 30 + (i % 2) * 20, 10, 6, c.tan))
  );
}

function boatAtTheJetty() {
  const hull =
    cut("M-250 -60Q0 10 250 -70Q230 50 130 66H-140Q-236 40 -250 -60Z", c.vermilion) +
    cut("M-250 -60Q0 10 250 -70L246 -46Q0 32 -247 -38Z", c.cream) +
    cut("M-220 12Q0 60 222 8Q196 58 130 66H-140Q-200 52 -220 12Z", c.brick);
  return (
    sky("#e9dcc0", "#cfdcd2", c.mist) +
    circle(300, 190, 76, c.cream) +
    cut("M0 300Q200 210 420 290T860 262T1200 290V360H0Z", "#8fb3ae") +
    cut("M500 330Q800 250 1200 310V370H500Z", c.aqua) +
    rect(0, 345, 1200, 285, "#4f8f90") +
    cut("M0 430Q300 410 600 430T1200 430V630H0Z", "#3b7c80") +
    cut("M0 530Q300 510 600 530T1200 525V630H0Z", c.sea) +
    many(7, (i) => dash(300, 366 + i * 14, 130 - i * 14, c.cream, 5, 0.7)) +
    [
      [780, 380, 250],
      [930, 380, 250],
      [1110, 370, 270],
    ]
      .map(([x, y, h]) => rect(x, y, 24, h, c.bark))
      .join("") +
    lift(
      shape(
        [
          [690, 372],
          [1200, 330],
          [1200, 376],
          [710, 404],
        ],
        c.oak,
      ),
    ) +
    shape(
      [
        [710, 404],
        [1200, 376],
        [1200, 392],
        [712, 416],
      ],
      c.bark,
    ) +
    many(8, (i) => line(740 + i * 62, 368 - i * 5, 752 + i * 62, 400 - i * 3.6, c.bark, 3)) +
    place(430, 540, hull, { see: 0.16 }) +
    lift(place(430, 450, hull), "high") +
    line(320, 452, 540, 445, c.oak, 12) +
    line(560, 430, 330, 350, c.wood, 9) +
    oval(300, 340, 44, 13, c.wood, { turn: [19, 300, 340] }) +
    pen("M672 384Q720 440 788 392", c.cream, 5) +
    dash(300, 548, 200, c.mist) +
    dash(560, 566, 150, c.mist) +
    dash(160, 600, 180, c.aqua)
  );
}

function boatFromAbove(random) {
  const boat =
    lift(cut("M-190 0C-150 -74 60 -86 200 0C60 86 -150 74 -190 0Z", c.cream), "high") +
    cut("M-168 0C-132 -56 56 -66 172 0C56 66 -132 56 -168 0Z", c.wood) +
    many(5, (i) => line(-120, -24 + i * 12, 110, -24 + i * 12, c.oak, 2)) +
    rect(-84, -54, 30, 108, c.cream) +
    rect(40, -52, 30, 104, c.cream);
  const rower =
    line(-6, -26, 20, -80, c.vermilion, 24) +
    line(-6, 26, 20, 80, c.vermilion, 24) +
    lift(oval(-8, 0, 30, 44, c.vermilion) + circle(-4, 0, 25, c.sand) + circle(-4, 0, 15, c.tan));
  const oars = [-1, 1]
    .map((s) => line(30, s * 30, -30, s * 240, c.sand, 9) + oval(-38, s * 266, 14, 42, c.sand, { turn: [s * 16, -38, s * 266] }))
    .join("");
  return (
    ground(c.night) +
    halo(560, 330, [190, 270, 360, 460, 570, 690], c.blue, 26, 0.5) +
    halo(560, 330, [225, 312, 408, 512, 630], c.deep, 10, 0.9) +
    many(30, () => circle(random.between(0, 1200), random.between(0, 630), random.between(1.5, 3), c.paper, { see: 0.8 })) +
    lift(circle(1010, 130, 58, c.honey)) +
    circle(1028, 118, 46, c.paper, { see: 0.4 }) +
    pen("M150 630Q350 480 470 390", c.aqua, 5, { see: 0.6 }) +
    pen("M60 560Q300 470 440 360", c.aqua, 5, { see: 0.6 }) +
    place(560, 330, oars + boat + rower, { turn: -26 })
  );
}

export default { sea: [rollingSea, shoreFromAbove], boat: [boatAtTheJetty, boatFromAbove] };
