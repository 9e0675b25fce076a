import * as f from "./face.mjs";

// Lays the parts of a bust over one another, back to front.
export function bust({
  ground,
  disc,
  skin,
  top,
  hair,
  under = "",
  collar = "",
  beard = "",
  extras = "",
  glasses = "",
  face = {},
  ears = true,
  ink = "#2a1a17",
  front = "",
  vee = false,
}) {
  const [tone, shade] = f.skins[skin];
  return (
    f.wall(ground, disc) +
    (hair.back ?? "") +
    f.shoulders(top) +
    under +
    (vee ? f.openNeck(shade) : f.neck(shade)) +
    (ears ? f.ears(tone) : "") +
    collar +
    f.faceShape(tone) +
    f.features(ink, face) +
    beard +
    (hair.over ?? "") +
    glasses +
    extras +
    (hair.last ?? "") +
    front
  );
}
