// Harbours, fish and the lighthouse.

import { cloud, dash, gull, leafShape, rainfall, sun, waves } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, glow, ground, inside, lift, line, many, pen, place, rect, ring, shape, sky } from "../shapes.mjs";
import { fishBody, lemon } from "../things.mjs";
import { archDoor, smallWindow } from "../town.mjs";

const fishingBoat = (x, y, s, hull, cabin) =>
  place(
    x,
    y,
    line(40, -60, 40, -230, c.ink, 7) +
      line(40, -220, 150, -90, c.ink, 3) +
      line(40, -220, -130, -70, c.ink, 3) +
      lift(rect(-70, -130, 90, 90, cabin) + rect(-80, -144, 110, 16, c.ink, { round: 4 })) +
      rect(-54, -112, 24, 28, c.honey) +
      rect(-20, -112, 24, 28, c.honey) +
      lift(cut("M-170 -60Q0 -16 190 -74Q180 30 110 46H-120Q-160 20 -170 -60Z", hull)) +
      cut("M-170 -60Q0 -16 190 -74L187 -54Q0 4 -166 -40Z", c.cream),
    { scale: s },
  );

function quayHouses(random) {
  const walls = [c.ochre, c.cream, c.blush, c.aqua, c.paper, c.clay, c.wheat, c.mist];
  const row = many(8, (i) => {
    const [x, h] = [20 + i * 146, [210, 250, 190, 240, 220, 260, 200, 235][i]];
    const top = 380 - h;
    return (
      lift(
        rect(x, top, 140, h, walls[i]) +
          shape(
            [
              [x - 4, top],
              [x + 70, top - 70],
              [x + 144, top],
            ],
            i % 2 ? c.deep : c.brown,
          ),
      ) +
      many(
        2,
        (k) =>
          smallWindow(x + 24, top + 30 + k * 70, 34, 44, i % 3 ? c.deep : c.honey, walls[i]) +
          smallWindow(x + 84, top + 30 + k * 70, 34, 44, (i + k) % 3 ? c.deep : c.honey, walls[i]),
      ) +
      archDoor(x + 70, 380, 34, 56, c.ink)
    );
  });
  return (
    sky(c.mist, "#e6e6d3") +
    cloud(240, 90, 220, c.cream, { see: 0.8 }) +
    cloud(930, 70, 180, c.cream, { see: 0.8 }) +
    row +
    rect(0, 378, 1200, 34, c.steel) +
    rect(0, 374, 1200, 12, c.frost) +
    many(12, (i) => ring(60 + i * 100, 402, 8, c.ink, 3)) +
    rect(0, 412, 1200, 220, c.sea) +
    waves(450, 8, 160, c.teal, 0) +
    waves(520, 9, 190, c.sea, 40) +
    waves(590, 9, 170, c.deep, 10) +
    many(14, () => dash(random.between(0, 1200), random.between(430, 510), random.between(40, 110), c.mist, 4, 0.5)) +
    fishingBoat(250, 492, 0.86, c.deep, c.cream) +
    fishingBoat(930, 500, 0.9, c.pine, c.wheat) +
    fishingBoat(590, 540, 1.12, c.vermilion, c.cream) +
    gull(420, 60, 30) +
    gull(760, 90, 22)
  );
}

function cranesAtDusk(random) {
  const crane = (x, s) =>
    place(
      x,
      470,
      line(-60, 0, -40, -300, c.ink, 14) +
        line(60, 0, 40, -300, c.ink, 14) +
        line(-56, -100, 44, -240, c.ink, 7) +
        line(56, -100, -44, -240, c.ink, 7) +
        rect(-54, -320, 108, 26, c.ink) +
        rect(-190, -350, 470, 22, c.ink) +
        line(0, -430, -180, -342, c.ink, 6) +
        line(0, -430, 270, -342, c.ink, 6) +
        line(0, -440, 0, -340, c.ink, 12) +
        rect(20, -328, 50, 44, c.steel, { round: 4 }) +
        line(190, -330, 190, -220, c.ink, 4),
      { scale: s },
    );
  const boxes = [c.teal, c.ochre, c.steel, c.clay, c.cream, c.aqua, c.wheat];
  return (
    sky(c.violet, "#c9827a", c.apricot, c.honey) +
    sun(310, 400, 110, c.cream, [220, 160], c.honey) +
    rect(0, 430, 1200, 200, c.plum) +
    crane(960, 1) +
    crane(190, 0.8) +
    lift(rect(1121, 256, 62, 34, c.vermilion, { round: 2 })) +
    many(3, (i) => line(1131 + i * 20, 262, 1131 + i * 20, 284, c.brick, 3)) +
    many(11, (i) => many(random.whole(2, 4), (k) => rect(300 + i * 50, 446 - k * 32, 47, 29, random.pick(boxes), { round: 2 }))) +
    lift(rect(866, 330, 70, 150, c.cream)) +
    rect(858, 318, 86, 18, c.brick) +
    many(3, (i) => rect(876, 346 + i * 34, 50, 14, c.deep)) +
    rect(886, 280, 24, 40, c.ink) +
    lift(cut("M210 470H1010L960 570H300Z", c.night)) +
    rect(226, 486, 768, 8, c.cream, { see: 0.8 }) +
    waves(558, 9, 180, "#3a2a44") +
    waves(598, 9, 150, c.ink, 40) +
    many(8, (i) => dash(310 + (i % 2) * 14, 500 + i * 15, 190 - i * 14, c.honey, 5, 0.25))
  );
}

function lighthouseInTheStorm(random) {
  return (
    sky("#12262f", "#1f4a52", "#4c817d") +
    shape(
      [
        [830, 196],
        [-60, -40],
        [-60, 250],
      ],
      c.honey,
      { see: 0.35 },
    ) +
    shape(
      [
        [870, 196],
        [1260, 90],
        [1260, 280],
      ],
      c.honey,
      { see: 0.35 },
    ) +
    glow(850, 196, 190, c.honey, 0.8) +
    cloud(170, 130, 330, c.deep, { see: 0.8 }) +
    cloud(520, 70, 260, "#1a4049", { see: 0.9 }) +
    cloud(1090, 120, 280, "#1a4049", { see: 0.9 }) +
    lift(cut("M590 630Q640 480 740 450H960Q1070 490 1140 630Z", c.ink)) +
    lift(
      shape(
        [
          [790, 460],
          [812, 230],
          [888, 230],
          [910, 460],
        ],
        c.cream,
      ),
    ) +
    shape(
      [
        [805, 300],
        [895, 300],
        [899, 350],
        [801, 350],
      ],
      c.deep,
    ) +
    shape(
      [
        [796, 396],
        [904, 396],
        [910, 456],
        [790, 456],
      ],
      c.deep,
    ) +
    rect(796, 222, 108, 14, c.ink) +
    rect(822, 166, 56, 58, c.honey) +
    line(850, 166, 850, 224, c.ink, 4) +
    cut("M808 168Q850 96 892 168Z", c.vermilion) +
    line(850, 128, 850, 100, c.ink, 5) +
    archDoor(850, 460, 30, 48, c.ink) +
    waves(500, 34, 320, c.sea, 0) +
    waves(520, 34, 320, c.cream, 90) +
    waves(528, 34, 320, c.deep, 92) +
    waves(580, 28, 260, c.aqua, 30) +
    waves(588, 28, 260, c.night, 32) +
    rainfall(random, 90, c.foam, { lean: -40, length: 40, see: 0.3 })
  );
}

function shoal(random) {
  const swimmers = [];
  for (let row = 0; row < 6; row += 1)
    for (let i = 0; i < 6; i += 1) {
      const [x, y] = [i * 230 + (row % 2) * 115 - 20, 54 + row * 105];
      const red = row === 3 && i === 2;
      const [fill, fin] = random.pick([
        [c.aqua, c.teal],
        [c.mist, c.aqua],
        [c.steel, c.deep],
        [c.foam, c.mist],
      ]);
      swimmers.push(
        lift(
          place(x, y, red ? fishBody(0, 0, 210, c.vermilion, c.brick) : fishBody(0, 0, 172, fill, fin), {
            flip: red,
            turn: random.between(-5, 5),
          }),
        ),
      );
    }
  return (
    ground("#1d4f62") +
    many(5, (i) => cut(`M${i * 290 - 140} 0l120 0l-260 630h-190Z`, c.aqua, { see: 0.12 })) +
    swimmers.join("") +
    many(9, () => ring(random.between(40, 1160), random.between(20, 600), random.between(5, 11), c.foam, 3, { see: 0.7 }))
  );
}

function sardineTin(random) {
  const sardine = (y) =>
    lift(fishBody(600, y, 540, "#9db4bd", "#577486")) + pen(`M380 ${y - 14}Q600 ${y - 66} 770 ${y - 18}`, c.deep, 10, { see: 0.5 });
  return (
    ground(c.wheat) +
    many(14, (i) => rect(i * 90 - 10, 0, 42, 630, c.ochre, { see: 0.5 })) +
    lift(rect(270, 110, 660, 420, c.frost, { round: 90 }), "high") +
    rect(286, 126, 628, 388, c.dusk, { round: 78 }) +
    inside(
      rect(300, 140, 600, 360, c.ink, { round: 66 }),
      rect(300, 140, 600, 360, c.amber) + sardine(198) + sardine(284) + sardine(370) + sardine(454),
    ) +
    lift(cut("M252 94H948Q968 108 950 140Q600 110 250 140Q232 108 252 94Z", c.vermilion)) +
    rect(250, 88, 700, 30, c.brick, { round: 15 }) +
    lift(ring(600, 70, 32, c.steel, 12)) +
    lemon(130, 470, 112) +
    lemon(1080, 180, 92) +
    place(1040, 560, lift(leafShape(190, 44, c.fern, c.lime)), { turn: 40 }) +
    place(1080, 580, lift(leafShape(150, 38, c.moss, c.lime)), { turn: 100 }) +
    place(130, 150, lift(leafShape(140, 34, c.moss, c.lime)), { turn: -30 }) +
    many(10, () => circle(random.between(960, 1180), random.between(300, 420), 6, c.bark))
  );
}

export default { harbour: [quayHouses, cranesAtDusk], fish: [shoal, sardineTin], lighthouse: [lighthouseInTheStorm] };
