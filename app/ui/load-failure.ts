import { type SyntheticEvent, useCallback, useState } from "react";

/**
 * Whether a picture could not be loaded, also when that happened before the page came to life. Spread `watch` on the
 * img; `source` says which picture it is, so that another one gets its own chance.
 */
export function useLoadFailure(source: string) {
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
