import { element } from './element.ts'
import type { Segment } from './segmentation.ts'

/** Segments named beside the picture. */
const MOST_LISTED = 12

/** Names of the segments over a picture, each beside its colour. */
export function createLegend(): { root: HTMLElement; show: (segments: readonly Segment[]) => void } {
  const root = element('ul', { class: 'legend' })
  return {
    root,
    show: (segments) =>
      root.replaceChildren(
        ...segments.slice(0, MOST_LISTED).map(({ label, colour }) => {
          const swatch = element('span', { class: 'swatch' })
          swatch.style.background = `rgb(${colour.join(' ')})`
          return element('li', {}, swatch, label)
        }),
      ),
  }
}
