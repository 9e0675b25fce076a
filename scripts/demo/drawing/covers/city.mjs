// Night buses, city nights and lamps.

import { dash, fullMoon, rainfall, starField, sun } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, glow, ground, inside, lift, line, many, oval, pen, place, rect, shape, sky } from "../shapes.mjs";
import { cup, spine } from "../things.mjs";
import { person, skyline, streetLamp } from "../town.mjs";

const wheel = (x, y, r) => circle(x, y, r, c.ink) + circle(x, y, r * 0.5, c.frost) + circle(x, y, r * 0.2, c.ink);

const passenger = (x, foot, s, coat, skin, hair) =>
  cut(`M${x - s} ${foot}q0 ${-s * 1.1} ${s} ${-s * 1.1}t${s} ${s * 1.1}Z`, coat) +
  circle(x, foot - s * 1.45, s * 0.55, skin) +
  cut(`M${x - s * 0.58} ${foot - s * 1.4}a${s * 0.58} ${s * 0.62} 0 0 1 ${s * 1.16} 0q${-s * 0.5} ${-s * 0.35} ${-s * 1.16} 0Z`, hair);

function busOnTheStreet(random) {
  const riders = [
    [350, c.teal, "#8d5a3b"],
    [585, c.plum, "#e3b18f"],
    [820, c.pine, "#c98d68"],
  ];
  return (
    sky(c.night, c.deep, c.steel) +
    starField(random, 50, 220) +
    fullMoon(170, 130, 62) +
    skyline(random, 500, 130, 300, "#1c3b53", { odds: 0.28, lit: c.wheat }) +
    rect(0, 490, 1200, 140, c.ink) +
    many(9, (i) => rect(i * 150 - 30, 588, 80, 7, c.dusk, { see: 0.5 })) +
    glow(600, 400, 520, c.honey, 0.3) +
    lift(rect(190, 205, 830, 320, c.vermilion, { round: 34 }), "high") +
    rect(190, 415, 830, 26, c.cream) +
    rect(190, 480, 830, 30, c.brick) +
    many(3, (i) => rect(245 + i * 235, 250, 210, 140, c.honey, { round: 14 })) +
    riders.map(([x, coat, skin]) => passenger(x, 390, 46, coat, skin, c.ink)).join("") +
    rect(950, 250, 70, 190, c.honey, { round: 10 }) +
    line(985, 250, 985, 440, c.brick, 6) +
    rect(245, 214, 330, 26, c.ink, { round: 6 }) +
    many(7, (i) => rect(262 + i * 44, 222, 28, 10, c.honey, { round: 3 })) +
    wheel(365, 525, 54) +
    wheel(850, 525, 54) +
    circle(1008, 470, 13, c.cream) +
    shape(
      [
        [1010, 460],
        [1240, 420],
        [1240, 560],
        [1010, 482],
      ],
      c.honey,
      { see: 0.3 },
    ) +
    streetLamp(95, 560, 330)
  );
}

function busInTheRain(random) {
  return (
    sky(c.plum, "#6d4560", c.rose) +
    skyline(random, 520, 120, 330, "#3c2b44", { odds: 0.35 }) +
    shape(
      [
        [380, 630],
        [500, 470],
        [700, 470],
        [820, 630],
      ],
      "#2a2434",
    ) +
    rect(0, 520, 1200, 110, "#2a2434") +
    shape(
      [
        [330, 560],
        [870, 560],
        [1120, 640],
        [80, 640],
      ],
      c.honey,
      { see: 0.22 },
    ) +
    lift(rect(395, 90, 410, 450, c.teal, { round: 46 }), "high") +
    rect(395, 420, 410, 62, c.sea) +
    rect(445, 112, 310, 54, c.ink, { round: 12 }) +
    many(6, (i) => rect(470 + i * 46, 128, 30, 22, c.honey, { round: 4 })) +
    rect(430, 184, 340, 206, c.honey, { round: 22 }) +
    passenger(535, 390, 60, c.ink, "#a86f4c", c.bark) +
    passenger(690, 390, 34, c.vermilion, "#e3b18f", c.ink) +
    line(600, 184, 600, 390, c.sea, 10) +
    rect(350, 200, 32, 90, c.ink, { round: 10 }) +
    rect(818, 200, 32, 90, c.ink, { round: 10 }) +
    rect(540, 440, 120, 30, c.cream, { round: 4 }) +
    rect(420, 515, 90, 60, c.ink, { round: 10 }) +
    rect(690, 515, 90, 60, c.ink, { round: 10 }) +
    rect(395, 482, 410, 52, c.ink, { round: 12 }) +
    [455, 745].map((x) => glow(x, 450, 150, c.honey, 0.8) + circle(x, 450, 30, c.cream)).join("") +
    rainfall(random, 110, c.cream, { see: 0.3, length: 46 })
  );
}

function cityAcrossTheWater(random) {
  return (
    sky("#14303f", "#225563", "#5d908c") +
    starField(random, 60, 260) +
    sun(850, 170, 84, c.vermilion, [190, 138], c.apricot) +
    skyline(random, 430, 120, 270, "#2c5c68", { odds: 0.2 }) +
    skyline(random, 430, 60, 200, c.night, { odds: 0.5 }) +
    rect(0, 428, 1200, 202, "#17374a") +
    many(26, (k) =>
      many(4, (i) =>
        dash(24 + k * 46 + random.between(-9, 9), 448 + i * 30 + random.between(-9, 9), random.between(14, 40), c.honey, 5, 0.6 - i * 0.12),
      ),
    ) +
    many(9, (i) => rect(850 - 70 + i * 5, 446 + i * 19, 140 - i * 10, 7, c.vermilion, { round: 3, see: 0.85 })) +
    rect(0, 424, 1200, 8, c.ink)
  );
}

function lightsInTheBlock() {
  const rooms = [];
  for (let row = 0; row < 3; row += 1)
    for (let column = 0; column < 6; column += 1) {
      const [x, y] = [64 + column * 184, 60 + row * 182];
      const lit = [1, 4, 6, 11, 14, 15].includes(row * 6 + column);
      const red = row === 1 && column === 3;
      const scenes = {
        1: person({ h: 150, coat: c.plum, arm: "front" }),
        6: person({ h: 140, coat: c.teal }),
        11: person({ h: 146, coat: c.brick, arm: "up" }),
        14: person({ h: 142, coat: c.ochre, hair: c.frost }),
      };
      const inner = scenes[row * 6 + column];
      const plant = [4, 15].includes(row * 6 + column)
        ? rect(x + 66, y + 92, 40, 36, c.clay) +
          many(5, (i) => pen(`M${x + 86} ${y + 94}q${(i - 2) * 12} -20 ${(i - 2) * 20} -44`, c.fern, 7))
        : "";
      rooms.push(
        lift(rect(x - 8, y - 8, 146, 146, c.cream, { see: 0.18 })) +
          inside(
            rect(x, y, 130, 130, c.honey),
            rect(x, y, 130, 130, lit || red ? c.honey : "#1f465c") +
              (inner ? place(x + 65, y + 166, inner) : plant) +
              (lit
                ? ""
                : red
                  ? cut(`M${x} ${y}h62q-4 70 -44 130H${x}Z`, c.vermilion) + cut(`M${x + 130} ${y}h-62q4 70 44 130H${x + 130}Z`, c.vermilion)
                  : shape(
                      [
                        [x + 20, y],
                        [x + 60, y],
                        [x, y + 110],
                        [x, y + 50],
                      ],
                      c.aqua,
                      { see: 0.18 },
                    )),
          ) +
          (inner || red ? "" : line(x + 65, y, x + 65, y + 130, c.deep, 5)) +
          line(x, y + 44, x + 130, y + 44, c.deep, 5) +
          rect(x - 16, y + 130, 162, 14, "#31586e"),
      );
    }
  return ground("#17364b") + many(4, (i) => rect(0, 27 + i * 182, 1200, 6, "#122b3d")) + rooms.join("");
}

function deskLamp() {
  return (
    ground("#1d4a57") +
    shape(
      [
        [530, 280],
        [738, 204],
        [1110, 478],
        [330, 478],
      ],
      c.honey,
      { see: 0.45 },
    ) +
    rect(0, 470, 1200, 160, c.oak) +
    rect(0, 470, 1200, 16, c.wood) +
    oval(715, 500, 420, 26, c.honey, { see: 0.45 }) +
    lift(cut("M560 496q120 -42 190 -4q80 -38 190 4l26 20H534Z", c.cream)) +
    many(
      3,
      (i) => line(610 + i * 4, 490 + i * 7, 720, 488 + i * 7, c.tan, 3) + line(780, 488 + i * 7, 890 - i * 4, 490 + i * 7, c.tan, 3),
    ) +
    lift(oval(330, 505, 110, 22, c.ink)) +
    pen("M330 500L250 330L590 134", c.ink, 17) +
    circle(250, 330, 22, c.steel) +
    lift(
      place(610, 178, cut("M-112 66A118 118 0 0 1 112 66Z", c.vermilion) + rect(-26, -62, 52, 60, c.brick, { round: 10 }), { turn: -20 }),
      "high",
    ) +
    place(610, 178, oval(0, 66, 112, 15, c.cream), { turn: -20 }) +
    lift(spine(64, 470, 40, 170, c.ochre, c.cream) + spine(106, 470, 34, 140, c.plum, c.blush)) +
    cup(1060, 520, 96, c.mist, c.bark)
  );
}

function streetLampInSnow(random) {
  const branch = many(9, (i) => line(1010, 440 - i * 36, 1010 + (i % 2 ? -1 : 1) * (150 - i * 10), 370 - i * 38, c.bark, 8));
  return (
    sky("#2b2c4a", "#5b4a6b", "#b98a8c") +
    glow(420, 150, 430, c.honey, 0.75) +
    line(1010, 560, 1010, 90, c.bark, 20) +
    branch +
    cut("M0 470Q360 420 700 470T1200 450V630H0Z", c.frost) +
    cut("M0 530Q500 470 1200 540V630H0Z", c.snow) +
    oval(420, 530, 330, 34, c.honey, { see: 0.4 }) +
    line(420, 530, 420, 200, c.ink, 15) +
    rect(396, 506, 48, 28, c.ink, { round: 5 }) +
    line(370, 236, 470, 236, c.ink, 8) +
    lift(
      shape(
        [
          [390, 214],
          [368, 112],
          [472, 112],
          [450, 214],
        ],
        c.honey,
      ),
    ) +
    line(420, 112, 420, 212, c.ink, 5) +
    shape(
      [
        [352, 112],
        [420, 62],
        [488, 112],
      ],
      c.ink,
    ) +
    cut("M350 108Q420 30 490 108Q420 84 350 108Z", c.snow) +
    lift(
      rect(600, 430, 230, 16, c.brown) +
        rect(600, 462, 230, 18, c.brown) +
        line(622, 420, 622, 536, c.ink, 9) +
        line(808, 420, 808, 536, c.ink, 9),
    ) +
    cut("M596 432q116 -26 238 0Z", c.snow) +
    cut("M716 418h34v68l-16 44l-18 -46Z", c.vermilion) +
    line(716, 502, 750, 502, c.brick, 3) +
    many(70, () => circle(random.between(0, 1200), random.between(0, 600), random.between(2, 5), c.snow, { see: 0.85 }))
  );
}

export default {
  "night-bus": [busOnTheStreet, busInTheRain],
  "city-night": [cityAcrossTheWater, lightsInTheBlock],
  lamp: [deskLamp, streetLampInSnow],
};
