/** Heights above and below a picture in pixels: of the head with banner, tools and messages, and of the strip of series. */
export type Room = { head: number; strip: number }

/** The room that both viewers of a pair need: pictures of one size stand at one size then. */
export function widerRoom(one: Room, other: Room | undefined): Room {
  return { head: Math.max(one.head, other?.head ?? 0), strip: Math.max(one.strip, other?.strip ?? 0) }
}

export function isRoom(value: unknown): value is Room {
  return (
    typeof value === 'object' &&
    value !== null &&
    'head' in value &&
    Number.isFinite(value.head) &&
    'strip' in value &&
    Number.isFinite(value.strip)
  )
}

/**
 * Tells the room that a viewer needs by itself, as often as it changes.
 * @param head what stands above the picture, without the room that it was given
 * @param side the scrolling frame of the strip, and the strip inside
 */
export function watchRoom(
  { head, side, strip }: { head: HTMLElement; side: HTMLElement; strip: HTMLElement },
  handleRoom: (room: Room) => void,
): void {
  // whole pixels, which both panes can keep
  const heightOf = (part: HTMLElement) => Math.ceil(part.getBoundingClientRect().height)
  // borders and the bar of a strip that scrolls belong to its height
  const read = () => ({ head: heightOf(head), strip: heightOf(strip) + side.offsetHeight - side.clientHeight })
  const observer = new ResizeObserver(() => handleRoom(read()))
  for (const one of [head, side, strip]) observer.observe(one)
}

/** Gives a viewer the room of its pair; undefined gives it what it needs by itself. */
export function giveRoom(root: HTMLElement, room: Room | undefined): void {
  for (const part of ['head', 'strip'] as const) {
    if (room) root.style.setProperty(`--${part}-room`, `${room[part]}px`)
    else root.style.removeProperty(`--${part}-room`)
  }
}
