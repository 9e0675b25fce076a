/** What a browser made, as it was sent; null for what is no JSON. */
export function madeByBrowser(form: FormData): unknown {
  try {
    return JSON.parse(String(form.get("response")));
  } catch {
    return null;
  }
}
