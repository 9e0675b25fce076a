/** Files of a paste or drop. Office programs add a picture of the text to formatted text, and browsers an address to a picture. */
export function pastedFiles(data: DataTransfer): File[] {
  const [html, text] = [data.getData("text/html"), data.getData("text/plain").trim()];
  const isPicture = /<img\b/i.test(html) && /^[a-z]+:\S+$/i.test(text);
  return html && text && !isPicture ? [] : [...data.files];
}
