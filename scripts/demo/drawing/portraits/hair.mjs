// Hair, hats and headscarves. Each gives what lies behind the head and what lies over it.
import { c } from "../palette.mjs";
import { around, circle, cut, lift, line, many, oval, pen, rect } from "../shapes.mjs";

const CAP = "M118 196C108 108 146 74 200 74S292 108 282 196";
const top = (fringe, fill) => lift(cut(`${CAP}${fringe}Z`, fill));

export const cropped = (fill) => ({
  over: cut("M126 178C118 112 154 88 200 88S282 112 274 178Q268 152 256 142Q200 128 144 142Q132 152 126 178Z", fill),
});
export const receding = (fill) => ({
  over:
    cut("M126 206C106 160 120 118 150 104Q140 134 136 160Q130 180 126 206Z", fill) +
    cut("M274 206C294 160 280 118 250 104Q260 134 264 160Q270 180 274 206Z", fill),
});
export const quiff = (fill) => ({
  over: lift(
    cut(
      "M120 186C112 140 122 110 140 100C150 60 236 52 272 92C290 110 288 150 280 186Q274 158 262 146Q220 150 190 128Q160 152 138 150Q126 164 120 186Z",
      fill,
    ),
  ),
});

const curlRing = (fill, r, size, from, to, count) =>
  many(count, (i) => circle(...around(200, 168, r, from + ((to - from) * i) / (count - 1)), size, fill));
export const tightCurls = (fill) => ({
  back: circle(200, 150, 84, fill),
  over: lift(curlRing(fill, 80, 24, 186, 354, 10) + curlRing(fill, 54, 20, 214, 326, 6)),
});
export const bigCurls = (fill) => ({
  back: lift(curlRing(fill, 104, 36, 150, 390, 12) + curlRing(fill, 80, 46, 130, 410, 10)),
  over: lift(curlRing(fill, 72, 24, 196, 344, 8)),
});
const lowBack = (fill, bottom, spread) =>
  lift(
    cut(
      `M200 70C110 70 100 140 104 210Q${104 - spread} ${bottom - 60} ${112 - spread} ${bottom}H${288 + spread}Q${296 + spread} ${bottom - 60} 296 210C300 140 290 70 200 70Z`,
      fill,
    ),
  );
const middleParting = (fill) =>
  lift(cut("M200 84C130 76 108 130 114 214C128 196 140 150 200 112C260 150 272 196 286 214C292 130 270 76 200 84Z", fill));
export const longStraight = (fill) => ({ back: lowBack(fill, 350, 4), over: middleParting(fill) });
export const longWavy = (fill) => ({
  back: lift(
    cut(
      "M200 68C108 66 92 140 100 190C70 220 106 240 86 280C72 320 110 340 120 356H280C290 340 328 320 314 280C294 240 330 220 300 190C308 140 292 66 200 68Z",
      fill,
    ),
  ),
  over: top("Q284 160 250 140Q206 140 168 112Q150 150 130 160Q120 176 118 196", fill),
});
export const bobWithFringe = (fill) => ({
  back: lift(cut("M200 70C104 70 96 150 100 220Q100 270 116 280H284Q300 270 300 220C304 150 296 70 200 70Z", fill)),
  over: lift(
    cut("M114 230C102 110 140 72 200 72S298 110 286 230Q276 240 268 226Q270 190 266 164H134Q130 190 132 226Q124 240 114 230Z", fill),
  ),
});
export const softBob = (fill) => ({
  back: lift(cut("M200 66C104 66 84 150 92 216Q94 262 130 266H270Q306 262 308 216C316 150 296 66 200 66Z", fill)),
  over: top("Q286 158 256 142Q210 140 176 112Q158 150 130 162Q120 178 118 196", fill),
});
export const lowBun = (fill, streak) => ({
  back: lift(circle(286, 236, 36, fill)),
  over: middleParting(fill) + (streak ? pen("M196 92Q142 108 126 178", streak, 6) : ""),
});
export const twoBuns = (fill) => ({
  back: lift(circle(122, 88, 40, fill) + circle(278, 88, 40, fill)),
  over: top("Q280 170 268 154H132Q120 170 118 196", fill),
});
const plait = (x, fill, tie) =>
  lift(many(6, (i) => oval(x + (i % 2 ? 4 : -4), 226 + i * 24, 20 - i, 17, fill))) +
  rect(x - 11, 356, 22, 10, tie, { round: 4 }) +
  oval(x, 378, 12, 18, fill);
export const plaits = (fill, tie) => ({
  back: lowBack(fill, 240, -4),
  over: middleParting(fill),
  last: plait(114, fill, tie) + plait(286, fill, tie),
});
export const locs = (fill) => ({
  back: lift(many(11, (i) => line(130 + i * 14, 140, 96 + i * 20.8, 300 - Math.abs(i - 5) * -6, fill, 19))),
  over:
    lift(cut("M116 196C104 106 146 70 200 70S296 106 284 196Q272 156 250 140Q200 120 150 140Q128 156 116 196Z", fill)) +
    many(7, (i) => pen(`M${146 + i * 18} 84Q${138 + i * 21} 110 ${132 + i * 23} 140`, c.bark, 3)),
});
export const highPuff = (fill, band) => ({
  back: lift(many(9, (i) => circle(...around(200, 66, 30, i * 40), 22, fill)) + circle(200, 66, 36, fill)),
  over: top("Q276 162 254 144Q200 120 146 144Q124 162 118 196", fill) + pen("M124 156Q200 92 276 156", band, 17),
});
export const silverCurls = (fill, light) => ({
  back: lift(curlRing(fill, 90, 32, 160, 380, 11)),
  over: lift(curlRing(light, 76, 25, 192, 348, 9)),
});

export const beanie = (fill, cuff) => ({
  back: circle(124, 200, 20, c.frost) + circle(276, 200, 20, c.frost),
  over:
    lift(cut("M116 160C112 84 150 54 200 54S288 84 284 160Z", fill)) +
    lift(rect(108, 132, 184, 38, cuff, { round: 12 })) +
    many(10, (i) => line(124 + i * 17, 138, 124 + i * 17, 164, fill, 3)),
});
export const bobbleHat = (fill, cuff, hair) => ({
  back: lowBack(hair, 356, 2),
  over:
    cut("M120 170Q116 240 108 300Q134 250 140 170Z", hair) +
    cut("M280 170Q284 240 292 300Q266 250 260 170Z", hair) +
    circle(200, 40, 30, cuff) +
    lift(cut("M114 156C110 86 150 58 200 58S290 86 286 156Z", fill)) +
    many(6, (i) => pen(`M${132 + i * 26} 132l13 -18l13 18`, cuff, 5)) +
    lift(rect(106, 132, 188, 36, cuff, { round: 14 })),
});
export const flatCap = (fill, shade, hair) => ({
  back: "",
  over:
    cut("M124 200C120 180 120 160 132 150V176Z", hair) +
    cut("M276 200C280 180 280 160 268 150V176Z", hair) +
    lift(cut("M108 146C96 90 150 60 214 62C286 66 306 110 294 146Q200 118 108 146Z", fill)) +
    lift(cut("M110 144Q200 106 292 144Q300 166 282 168Q200 140 120 166Q104 164 110 144Z", shade)),
});
export const kufi = (fill, trim) => ({
  back: "",
  over:
    lift(cut("M124 150C120 100 132 78 200 76S280 100 276 150Q200 130 124 150Z", fill)) +
    pen("M126 142Q200 122 274 142", trim, 6) +
    many(7, (i) => circle(142 + i * 19.4, 116 - Math.sin((i / 6) * Math.PI) * 10, 5, trim)),
});
export const chullo = (fill, bands, hair) => ({
  back: "",
  over:
    cut("M130 160H270V178Q200 140 130 178Z", hair) +
    lift(cut("M108 250L120 150C118 90 160 62 200 40C240 62 282 90 280 150L292 250L262 200V158Q200 136 138 158V200Z", fill)) +
    pen("M124 140Q200 112 276 140", bands[0], 11) +
    many(7, (i) => circle(146 + i * 18, 112 - Math.sin((i / 6) * Math.PI) * 12, 5, bands[1])) +
    circle(200, 40, 15, bands[0]) +
    line(112, 248, 106, 300, bands[0], 5) +
    line(288, 248, 294, 300, bands[0], 5) +
    circle(106, 304, 10, bands[1]) +
    circle(294, 304, 10, bands[1]),
});
export const headscarf = (fill, fold) => ({
  back: lift(cut("M200 60C104 60 84 150 88 240C88 320 130 360 200 366S312 320 312 240C316 150 296 60 200 60Z", fill)),
  over:
    lift(
      cut(
        "M200 60C104 60 84 150 88 240C90 300 120 330 200 336S310 300 312 240C316 150 296 60 200 60ZM200 112C246 112 264 144 264 196C264 246 236 276 200 276S136 246 136 196C136 144 154 112 200 112Z",
        fill,
        { "fill-rule": "evenodd" },
      ),
    ) +
    pen("M112 300Q200 350 300 270", fold, 6) +
    pen("M126 330Q200 366 276 336", fold, 5),
});
export const headphones = (fill, pad) =>
  pen("M108 196C96 40 304 40 292 196", fill, 15) +
  lift(rect(92, 172, 34, 66, fill, { round: 15 }) + rect(274, 172, 34, 66, fill, { round: 15 })) +
  rect(114, 182, 13, 46, pad, { round: 6 }) +
  rect(273, 182, 13, 46, pad, { round: 6 });
