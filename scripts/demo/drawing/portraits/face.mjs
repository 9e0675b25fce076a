// The parts of a portrait: ground, shoulders, neck, face, glasses, beards. The sheet is 400 by 400.
import { c } from "../palette.mjs";
import { circle, cut, lift, line, pen, rect, ring } from "../shapes.mjs";

// Skin tones: face and the shade of it under the chin.
export const skins = {
  pale: ["#f0d0b5", "#d9b090"],
  rosy: ["#efc4a6", "#d5a082"],
  light: ["#ecc9a0", "#cfa478"],
  olive: ["#dcae84", "#ba8a60"],
  tan: ["#c98f63", "#a87048"],
  brown: ["#a56c44", "#855232"],
  deep: ["#83502f", "#683c22"],
  dark: ["#613a26", "#4a2a1b"],
};

const FACE = "M128 168C128 120 160 104 200 104S272 120 272 168V200C272 252 238 282 200 282S128 252 128 200Z";

export const wall = (ground, disc) => rect(0, 0, 400, 400, ground) + circle(304, 102, 200, disc);
export const shoulders = (fill) => lift(cut("M20 410C30 330 86 290 160 288H240C314 290 370 330 380 410Z", fill));
export const openNeck = (shade) => cut("M162 250H238V288L200 342L162 288Z", shade);
export const neck = (shade) => cut("M162 250H238V302A38 36 0 0 1 162 302Z", shade);
export const faceShape = (skin) => lift(cut(FACE, skin));
export const ears = (skin) => circle(127, 196, 15, skin) + circle(273, 196, 15, skin);

// kinds of eyes: 'smile' closed arcs, 'open' dots
export function features(ink, { eyes = "smile", mouth = "small", brows, cheeks, lines } = {}) {
  const look =
    eyes === "open"
      ? circle(172, 190, 5.5, ink) + circle(228, 190, 5.5, ink)
      : pen("M160 192Q173 181 187 192", ink, 4.5) + pen("M213 192Q227 181 240 192", ink, 4.5);
  const smile =
    mouth === "wide"
      ? cut("M176 232Q200 240 224 232Q220 260 200 260T176 232Z", ink) + cut("M181 235Q200 241 219 235L216 243H184Z", c.cream)
      : pen("M184 238Q200 250 216 238", ink, 4.5);
  return (
    (cheeks ? circle(152, 218, 15, cheeks, { see: 0.55 }) + circle(248, 218, 15, cheeks, { see: 0.55 }) : "") +
    look +
    smile +
    pen("M203 198q-9 12 3 18", ink, 3.2, { see: 0.55 }) +
    (brows ? pen("M156 172Q172 162 188 170", brows, 5.5) + pen("M212 170Q228 162 244 172", brows, 5.5) : "") +
    (lines ? pen("M148 196l-9 -4M149 203l-9 2", ink, 2.4, { see: 0.5 }) + pen("M252 196l9 -4M251 203l9 2", ink, 2.4, { see: 0.5 }) : "")
  );
}

export const roundGlasses = (colour) =>
  ring(171, 192, 25, colour, 4.5) +
  ring(229, 192, 25, colour, 4.5) +
  pen("M196 190q4 -4 8 0", colour, 4.5) +
  line(146, 188, 130, 184, colour, 4) +
  line(254, 188, 270, 184, colour, 4);
export const squareGlasses = (colour) =>
  rect(144, 173, 50, 38, "none", { round: 9, stroke: colour, "stroke-width": 5 }) +
  rect(206, 173, 50, 38, "none", { round: 9, stroke: colour, "stroke-width": 5 }) +
  line(194, 186, 206, 186, colour, 5) +
  line(144, 184, 130, 180, colour, 4) +
  line(256, 184, 270, 180, colour, 4);
export const catGlasses = (colour) =>
  [1, -1]
    .map(
      (side) =>
        `<g transform="translate(200 0) scale(${side} 1)">${cut("M6 178H50L66 170L60 196Q54 214 32 214Q8 214 6 192Z", "none", { stroke: colour, "stroke-width": 5, "stroke-linejoin": "round" })}</g>`,
    )
    .join("") + line(194, 182, 206, 182, colour, 5);

export const fullBeard = (fill, mouth) =>
  lift(cut("M127 190C140 226 160 222 176 218Q200 208 224 218C240 222 260 226 273 190C276 262 250 312 200 312S124 262 127 190Z", fill)) +
  pen("M184 238Q200 249 216 238", mouth, 4.5);
export const shortBeard = (fill, mouth) =>
  cut("M128 188C138 224 158 226 172 224Q200 214 228 224C242 226 262 224 272 188C276 256 240 288 200 288S124 256 128 188Z", fill) +
  pen("M184 239Q200 250 216 239", mouth, 4.5);
export const goatee = (fill, mouth) =>
  cut("M172 230Q200 214 228 230Q234 288 200 292Q166 288 172 230Z", fill) + pen("M184 240Q200 250 216 240", mouth, 4.5);
export const moustache = (fill) =>
  cut("M200 224C184 212 160 220 148 240C170 246 190 244 200 234C210 244 230 246 252 240C240 220 216 212 200 224Z", fill);

export const freckles = (colour) =>
  [
    [150, 212],
    [160, 218],
    [168, 210],
    [232, 210],
    [240, 218],
    [250, 212],
  ]
    .map(([x, y]) => circle(x, y, 2.4, colour))
    .join("");

export const hoops = (colour, r = 10) => ring(127, 228, r, colour, 4) + ring(273, 228, r, colour, 4);
export const studs = (colour, r = 9) => circle(126, 222, r, colour) + circle(274, 222, r, colour);

// necklines
export const roundCollar = (fill) => pen("M156 296A44 44 0 0 0 244 296", fill, 13);
export const veeCollar = (fill) => cut("M148 286L200 366L252 286H238L200 344L162 286Z", fill);
export const rollNeck = (fill, fold) => lift(rect(148, 284, 104, 60, fill, { round: 20 })) + line(164, 312, 236, 312, fold, 3.5);
export const shirtCollar = (fill) =>
  lift(cut("M160 282L200 326L172 350L140 296Z", fill)) + lift(cut("M240 282L200 326L228 350L260 296Z", fill));
export const scarf = (fill, fold) =>
  lift(cut("M134 274Q200 318 266 274Q284 300 268 322Q200 360 132 322Q116 300 134 274Z", fill)) + pen("M136 298Q200 336 264 298", fold, 5);
export const scarfEnd = (fill, fold) => lift(cut("M226 322L268 314L284 410H234Z", fill)) + line(240, 380, 276, 376, fold, 5);
