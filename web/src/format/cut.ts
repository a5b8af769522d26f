/** Text cut to `length` characters as a reader counts them, with an ellipsis where something is missing. */
export function cutText(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length).join('').trimEnd()}…` : text
}
