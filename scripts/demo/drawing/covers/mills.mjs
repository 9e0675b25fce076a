// Windmills and water mills.

import { cloud, gull, hills, pines, ripple, roundTree } from "../nature.mjs";
import { c } from "../palette.mjs";
import { circle, cut, lift, line, many, oval, place, rect, ring, shape, sky } from "../shapes.mjs";
import { steam } from "../things.mjs";
import { archDoor, house, smallWindow } from "../town.mjs";

function windmill(random) {
  const sail =
    rect(-6, -230, 12, 230, c.bark) +
    lift(rect(4, -226, 56, 168, c.cream)) +
    many(5, (i) => line(4, -220 + i * 39, 60, -220 + i * 39, c.oak, 4)) +
    line(32, -224, 32, -60, c.oak, 4);
  const tulips = (y, fill, s) =>
    many(30, (i) =>
      place(
        i * 42 * s - 10,
        y,
        line(0, 0, 0, -28 * s, c.fern, 5 * s) +
          cut(
            `M${-12 * s} ${-50 * s}q${6 * s} ${8 * s} ${12 * s} ${-4 * s}q${6 * s} ${12 * s} ${12 * s} ${4 * s}v${14 * s}a${12 * s} ${12 * s} 0 0 1 ${-24 * s} 0Z`,
            fill,
          ),
      ),
    );
  return (
    sky("#9cc5c4", "#dfe6d2") +
    cloud(210, 120, 260, c.cream) +
    cloud(960, 90, 220, c.cream) +
    cloud(1080, 220, 150, c.cream, { see: 0.7 }) +
    hills(random, 440, 8, "#a7bf93", 5) +
    many(5, (i) => roundTree(900 + i * 70, 452, 70 + (i % 2) * 30, "#84a580")) +
    rect(0, 450, 1200, 190, c.leaf) +
    lift(
      shape(
        [
          [450, 500],
          [500, 220],
          [640, 220],
          [690, 500],
        ],
        c.vermilion,
      ),
      "high",
    ) +
    shape(
      [
        [570, 220],
        [640, 220],
        [690, 500],
        [600, 500],
      ],
      c.brick,
      { see: 0.7 },
    ) +
    rect(440, 380, 260, 18, c.cream) +
    many(9, (i) => line(450 + i * 30, 350, 450 + i * 30, 384, c.cream, 5)) +
    line(440, 352, 700, 352, c.cream, 6) +
    lift(cut("M486 224Q570 110 654 224Z", c.ink)) +
    smallWindow(552, 280, 36, 44) +
    archDoor(570, 500, 54, 84, c.ink) +
    place(
      570,
      200,
      many(4, (i) => place(0, 0, sail, { turn: 24 + i * 90 })),
    ) +
    circle(570, 200, 18, c.ink) +
    house(850, 490, 130, 76, c.cream, c.brown) +
    tulips(530, c.honey, 0.8) +
    tulips(580, c.blush, 1) +
    tulips(640, c.cream, 1.25) +
    [290, 320, 350].map((x, i) => gull(x, 220 + i * 16, 16)).join("")
  );
}

function waterMill(random) {
  const wheel =
    many(12, (i) =>
      place(0, 0, rect(-9, -178, 18, 178, c.brown) + rect(-34, -196, 68, 26, c.vermilion, { round: 3 }), { turn: i * 30 + 8 }),
    ) +
    ring(0, 0, 160, c.brick, 16) +
    ring(0, 0, 110, c.brown, 12) +
    circle(0, 0, 28, c.ink) +
    circle(0, 0, 10, c.honey);
  return (
    sky("#d9dfc0", "#efe7cb") +
    hills(random, 300, 30, "#a9bf9c", 5) +
    pines(random, 22, 350, 60, 130, "#7f9f87") +
    rect(0, 340, 1200, 300, c.moss) +
    roundTree(1080, 470, 330, c.fern) +
    roundTree(80, 450, 300, c.pine) +
    lift(
      rect(590, 190, 380, 300, c.paper) +
        shape(
          [
            [550, 200],
            [640, 70],
            [920, 70],
            [1010, 200],
          ],
          c.deep,
        ),
      "high",
    ) +
    many(14, () => rect(random.between(600, 900), random.between(210, 470), random.between(30, 56), 18, c.tan, { round: 5, see: 0.7 })) +
    rect(860, 30, 40, 80, c.brown) +
    steam(880, 20, 60, c.cream, 10, 0.8) +
    smallWindow(790, 240, 60, 66) +
    smallWindow(890, 240, 50, 66) +
    archDoor(870, 490, 74, 120, c.ink) +
    lift(rect(200, 176, 330, 24, c.oak)) +
    line(250, 200, 250, 470, c.oak, 14) +
    rect(200, 168, 330, 12, c.aqua) +
    cut("M506 168q56 0 60 60v120h-26V240q-4 -40 -34 -42Z", c.mist) +
    cut("M0 490Q300 460 600 490T1200 500V630H0Z", c.teal) +
    lift(place(500, 380, wheel), "high") +
    cut("M0 520Q300 500 600 520T1200 530V630H0Z", "#4a8f92") +
    cut("M380 530q60 -40 120 -14q60 -30 130 14q-120 30 -250 0Z", c.foam) +
    many(12, () => ripple(random.between(0, 1200), random.between(550, 620), 90, c.foam, 4, 0.6)) +
    [700, 790, 980].map((x) => lift(oval(x, 536, 44, 20, c.steel))).join("")
  );
}

export default { mill: [windmill, waterMill] };
