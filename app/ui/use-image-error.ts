import { type SyntheticEvent, useCallback, useState } from "react";

export function useImageError(source: string) {
  const [failedSource, setFailedSource] = useState<string | null>(null);
  const onError = (_: SyntheticEvent) => setFailedSource(source);
  const ref = useCallback(
    (img: HTMLImageElement | null) => {
      if (img?.complete && img.naturalWidth === 0 && img.currentSrc) setFailedSource(source);
    },
    [source],
  );
  return { failed: source !== "" && failedSource === source, watch: { onError, ref } };
}
