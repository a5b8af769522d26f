/** The path of a call without slashes around it; a long one is none and is left as it is. */
export function readCallPath(sent: string): string {
  return sent.length > 200 ? sent : sent.replace(/^\/+|\/+$/g, '')
}
