import type { ComponentType, SVGProps } from "react";

/** A drawn icon: lucide's, or one of our own on the same grid. */
export type Icon = ComponentType<SVGProps<SVGSVGElement>>;
