/** `address`: the URL in a text. */
export type PictureAnswer = { id: string; name: string; address: string; error: null } | { id: null; name: string; error: string };

const lost = "We couldn’t upload the picture. Please try again.";

export type SendOptions = { progress: (part: number) => void; signal?: AbortSignal };

/** `progress` is from 0 to 1. Never rejects. */
export function sendPictureFile(kind: "featured" | "text", file: File, { progress, signal }: SendOptions): Promise<PictureAnswer> {
  const body = new FormData();
  body.set("kind", kind);
  body.set("picture", file);
  const failed: PictureAnswer = { id: null, name: file.name, error: lost };
  return new Promise((resolve) => {
    // fetch has no upload progress.
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      try {
        const answer = JSON.parse(request.responseText) as PictureAnswer;
        resolve(answer.id || answer.error ? answer : failed);
      } catch {
        resolve(failed);
      }
    };
    request.onerror = () => resolve(failed);
    request.ontimeout = () => resolve(failed);
    request.onabort = () => resolve(failed);
    signal?.addEventListener("abort", () => request.abort());
    request.timeout = 120_000;
    request.open("POST", "/drafts/picture");
    request.send(body);
  });
}
