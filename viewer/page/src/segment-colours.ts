export type Colour = readonly [red: number, green: number, blue: number]

/** For segments without a colour of their own; neighbours of the list are far from each other. */
const CHOSEN: readonly Colour[] = [
  [255, 176, 59],
  [86, 196, 255],
  [140, 220, 110],
  [255, 122, 160],
  [190, 150, 255],
  [255, 235, 110],
]
/** Turning by the golden angle, no hue comes close to one before it for long. */
const GOLDEN_ANGLE = 137.508
const MADE = Array.from({ length: 90 }, (_, at) => ofHue(at * GOLDEN_ANGLE, [0.62, 0.45, 0.8][at % 3] ?? 0.62))
const COLOURS: readonly Colour[] = [...CHOSEN, ...MADE]

/** Colours nearer than this are one to the eye, drawn thinly over an image. */
const APART = 48

export function usualColour(at: number): Colour {
  return COLOURS[at % COLOURS.length] as Colour // the remainder is in the list
}

/**
 * Gives out colours of one segmentation after the other. A segmentation keeps what it names, but for what it names twice
 * and what is near a colour of those before it: these get one apart from all others, as long as there is one.
 */
export function createPalette(): (wanted: readonly Colour[]) => Colour[] {
  const taken: Colour[] = []
  const nearest = (colour: Colour, among = taken) => Math.min(...among.map((other) => distance(colour, other)))
  return (wanted) => {
    const before = [...taken]
    return wanted.map((named) => {
      const isFree = nearest(named, before) >= APART && nearest(named) > 0
      const colour = isFree
        ? named
        : COLOURS.reduce((best, one) => (isBetter(nearest(one), nearest(best)) ? one : best))
      taken.push(colour)
      return colour
    })
  }
}

/** Whether a colour is chosen in place of one before it in the list: only where that one is too near to others. */
function isBetter(away: number, awayBefore: number): boolean {
  return awayBefore < APART && away > awayBefore
}

function distance(one: Colour, other: Colour): number {
  return Math.hypot(...one.map((part, at) => part - (other[at] ?? 0)))
}

/** A colour of the screen from a hue in degrees, three quarters saturated. */
function ofHue(hue: number, lightness: number): Colour {
  const spread = 0.75 * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [part(0), part(8), part(4)]
}
