/** A text of Markdown without signs that Vue would read as markup; code has none. */
export function plain(text) {
  const pieces = text.split(/(`[^`\n]*`)/);
  const signs = (piece) =>
    piece.replaceAll(/<(?!https?:|a id=|\/a>)/g, "&lt;").replaceAll("{{", "&#123;&#123;");
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : signs(piece))).join("");
}
