import scene from "./scene.svg?no-inline";
import emptyPlot from "./scene-empty-plot.svg?no-inline";

export function Scene({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 1440 560" preserveAspectRatio="xMaxYMax slice" className={className} aria-hidden="true">
      <use href={`${scene}#art`} />
    </svg>
  );
}

export function EmptyPlotScene({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 300 1440 260" preserveAspectRatio="xMidYMax slice" className={className} aria-hidden="true">
      <use href={`${emptyPlot}#art`} />
    </svg>
  );
}
