// What is worn over the shoulders: stripes, jackets, aprons and what is pinned to them.
import { circle, cut, lift, line, many, rect, shape } from "../shapes.mjs";

export const stripes = (colour, gap = 26, from = 300) =>
  `<clipPath id="bust"><path d="M20 410C30 330 86 290 160 288H240C314 290 370 330 380 410Z"/></clipPath><g clip-path="url(#bust)">${many(6, (i) => rect(0, from + i * gap, 400, gap * 0.4, colour))}</g>`;
export const lapels = (fill, shirt, tie) =>
  cut("M158 286L200 410L242 286Z", shirt) +
  (tie
    ? lift(
        shape(
          [
            [190, 322],
            [210, 322],
            [218, 410],
            [182, 410],
          ],
          tie,
        ) +
          shape(
            [
              [186, 308],
              [214, 308],
              [208, 326],
              [192, 326],
            ],
            tie,
          ),
      )
    : "") +
  lift(cut("M156 286L196 410H130L118 350L140 338L126 312Z", fill)) +
  lift(cut("M244 286L204 410H270L282 350L260 338L274 312Z", fill));
export const apron = (fill) =>
  lift(cut("M128 410V352Q200 376 272 352V410Z", fill)) + line(136, 360, 148, 290, fill, 12) + line(264, 360, 252, 290, fill, 12);

export const bowTie = (fill, knot) =>
  lift(
    shape(
      [
        [160, 314],
        [200, 328],
        [160, 346],
      ],
      fill,
    ) +
      shape(
        [
          [240, 314],
          [200, 328],
          [240, 346],
        ],
        fill,
      ),
  ) + circle(200, 329, 8, knot);
export const scarfTail = (fill) =>
  lift(
    shape(
      [
        [196, 330],
        [246, 350],
        [236, 396],
      ],
      fill,
    ),
  );
export const pocketSquare = (fill) =>
  shape(
    [
      [284, 352],
      [314, 344],
      [318, 362],
      [288, 370],
    ],
    fill,
  );
export const starBadge = (fill) =>
  lift(
    shape(
      [
        [292, 334],
        [297, 346],
        [310, 347],
        [300, 355],
        [304, 368],
        [292, 361],
        [280, 368],
        [284, 355],
        [274, 347],
        [287, 346],
      ],
      fill,
    ),
  );
