// The moon and the stars.

import { fullMoon, hills, leafShape, pines, starField } from "../nature.mjs";
import { c } from "../palette.mjs";
import { around, circle, cut, glow, lift, line, many, pen, place, rect, shape, sky } from "../shapes.mjs";
import { house, person } from "../town.mjs";

function phasesOfTheMoon(random) {
  const phase = (x, r, lit) => {
    const y = 240 - Math.sin(((x - 100) / 1000) * Math.PI) * 90;
    const bulge = Math.abs(1 - 2 * Math.abs(lit)) * r;
    const half = lit > 0 ? 1 : 0;
    return (
      circle(x, y, r, "#264760") +
      (Math.abs(lit) === 1
        ? fullMoon(x, y, r)
        : cut(
            `M${x} ${y - r}A${r} ${r} 0 0 ${half} ${x} ${y + r}A${bulge} ${r} 0 0 ${(Math.abs(lit) > 0.5) === (lit > 0) ? 1 : 0} ${x} ${y - r}Z`,
            c.paper,
          ))
    );
  };
  return (
    sky("#10212f", "#1b3b52", "#3a6472") +
    starField(random, 90, 420) +
    phase(110, 50, 0.25) +
    phase(260, 60, 0.5) +
    phase(420, 72, 0.78) +
    phase(600, 96, 1) +
    phase(780, 72, -0.78) +
    phase(940, 60, -0.5) +
    phase(1090, 50, -0.25) +
    hills(random, 450, 30, "#234a5c", 5) +
    pines(random, 26, 500, 60, 120, "#1a3a4b") +
    cut("M0 540Q600 440 1200 540V630H0Z", c.night) +
    house(600, 506, 110, 84, c.vermilion, c.ink) +
    glow(576, 470, 110, c.honey, 0.5) +
    pines(random, 5, 620, 120, 200, c.ink, 0, 280) +
    pines(random, 5, 620, 120, 200, c.ink, 920, 1200)
  );
}

function owlAndCrescent(random) {
  const twig = (d, w) => pen(d, c.ink, w);
  return (
    sky("#7a4a5c", "#b5696a", c.apricot) +
    starField(random, 26, 260, c.cream) +
    lift(cut("M800 64A230 230 0 1 0 978 366A196 196 0 1 1 800 64Z", c.cream), "high") +
    hills(random, 570, 16, c.plum, 5) +
    twig("M180 650Q220 420 170 260T220 -20", 56) +
    twig("M200 420Q420 430 620 380T900 400", 22) +
    twig("M180 250Q90 180 40 60", 22) +
    twig("M210 170Q340 130 420 30", 18) +
    twig("M420 424Q460 480 540 510", 11) +
    twig("M700 374Q770 310 860 300", 10) +
    twig("M310 100Q310 50 350 0", 9) +
    twig("M100 150Q40 170 -10 150", 10) +
    twig("M780 384Q840 440 920 450", 9) +
    lift(
      place(
        470,
        420,
        cut("M-70 -10C-92 -100 -84 -190 -62 -220L-56 -262L-20 -238H20L56 -262L62 -220C84 -190 92 -100 70 -10Q0 20 -70 -10Z", c.brown) +
          cut("M-40 -6C-50 -70 -40 -120 0 -130S50 -70 40 -6Q0 8 -40 -6Z", c.wood) +
          many(3, (i) => many(3, (k) => pen(`M${-26 + k * 20} ${-88 + i * 30}q6 10 12 0`, c.brown, 4))) +
          circle(-30, -190, 32, c.cream) +
          circle(30, -190, 32, c.cream) +
          circle(-28, -188, 16, c.ink) +
          circle(28, -188, 16, c.ink) +
          circle(-23, -194, 5, c.cream) +
          circle(33, -194, 5, c.cream) +
          shape(
            [
              [-11, -172],
              [11, -172],
              [0, -146],
            ],
            c.ochre,
          ) +
          lift(cut("M-66 -146Q0 -110 66 -146L70 -112Q0 -78 -70 -112Z", c.vermilion)) +
          rect(20, -118, 30, 72, c.vermilion, { turn: -8 }),
      ),
      "high",
    ) +
    many(6, (i) => line(440 + i * 12, 412, 440 + i * 12, 428, c.ochre, 6)) +
    many(12, () =>
      place(random.between(250, 960), random.between(300, 560), leafShape(26, 9, random.pick([c.clay, c.brick, c.ochre])), {
        turn: random.between(0, 360),
      }),
    )
  );
}

function starTrails(random) {
  const trails = many(34, (i) => {
    const r = 40 + i * 22;
    return many(5, () => {
      const a = random.between(0, 360);
      const b = a + random.between(20, 60);
      const [p, q] = [around(700, 230, r, a), around(700, 230, r, b)].map((v) => v.map(Math.round));
      return pen(`M${p}A${r} ${r} 0 0 1 ${q}`, random.pick([c.cream, c.mist, c.aqua, c.honey, c.steel]), random.pick([2, 3, 4]), {
        see: 0.8,
      });
    });
  });
  return (
    sky("#0f2130", "#183a50", "#2b5c69") +
    trails +
    circle(700, 230, 6, c.cream) +
    hills(random, 520, 20, "#14303f", 5) +
    cut("M0 600Q300 480 700 560T1200 540V630H0Z", c.ink) +
    lift(rect(180, 430, 190, 130, c.cream)) +
    cut("M170 432A105 105 0 0 1 380 432Z", c.vermilion) +
    shape(
      [
        [262, 432],
        [320, 338],
        [362, 374],
        [336, 432],
      ],
      c.ink,
    ) +
    lift(place(318, 400, rect(-16, -110, 34, 140, c.frost, { round: 4 }), { turn: 38 })) +
    rect(166, 424, 218, 18, c.brick) +
    rect(256, 490, 40, 70, c.ink) +
    rect(200, 470, 30, 30, c.honey) +
    rect(320, 470, 30, 30, c.honey) +
    pines(random, 5, 590, 70, 130, c.ink, 0, 170) +
    pines(random, 9, 590, 70, 140, c.ink, 760, 1200)
  );
}

function tentUnderTheMilkyWay(random) {
  const band = many(150, () => {
    const t = random.next();
    const off = (random.next() + random.next() - 1) * 110;
    return circle(100 + t * 1000 + off * 0.4, 500 - t * 480 + off, random.between(1, 4), random.pick([c.cream, c.honey, c.mist, c.blush]));
  });
  const figure = [
    [180, 90],
    [260, 150],
    [340, 130],
    [430, 190],
    [410, 280],
    [520, 290],
    [540, 200],
    [430, 190],
  ];
  return (
    sky("#1c2145", "#3c3563", "#7c5577", "#c4807e") +
    cut("M-40 560C200 440 460 330 700 160S1100 -60 1260 -80V40C1000 120 860 280 660 420S200 620 -40 660Z", c.violet, { see: 0.45 }) +
    cut("M-40 590C240 470 500 350 740 190S1100 -20 1260 -40V0C1000 90 820 260 620 400S160 620 -40 640Z", c.rose, { see: 0.3 }) +
    starField(random, 90, 450) +
    band +
    pen(`M${figure.map((p) => p.join(" ")).join("L")}`, c.cream, 2, { see: 0.6 }) +
    figure.map(([x, y], i) => circle(x, y, i % 3 ? 6 : 9, c.cream)).join("") +
    lift(place(900, 150, line(0, 0, -180, 70, c.cream, 4) + circle(0, 0, 8, c.cream))) +
    hills(random, 500, 26, "#3a2b4a", 5) +
    cut("M0 560Q500 470 1200 560V630H0Z", "#231d36") +
    glow(760, 500, 220, c.honey, 0.6) +
    lift(
      shape(
        [
          [760, 390],
          [920, 560],
          [600, 560],
        ],
        c.vermilion,
      ),
      "high",
    ) +
    shape(
      [
        [760, 390],
        [920, 560],
        [830, 560],
      ],
      c.brick,
    ) +
    shape(
      [
        [760, 420],
        [800, 560],
        [714, 560],
      ],
      c.honey,
    ) +
    place(480, 560, person({ h: 130, coat: c.ink, trousers: c.ink, skin: "#6b4a4a", arm: "up" })) +
    pines(random, 6, 600, 120, 220, "#171429", 0, 320) +
    pines(random, 4, 610, 120, 220, "#171429", 1010, 1210)
  );
}

export default { moon: [phasesOfTheMoon, owlAndCrescent], stars: [starTrails, tentUnderTheMilkyWay] };
