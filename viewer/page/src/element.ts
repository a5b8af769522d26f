type Attributes = Record<string, string | number | boolean>

/** Makes an element; `true` sets an empty attribute, `false` none. Text is always text: nothing from a study becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(attribute, value === true ? '' : String(value))
  }
  made.append(...children)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** Strokes on a 20 × 20 field. */
const ICONS = {
  adjust: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 3v14M10 6h4.5M10 10h7M10 14h4.5',
  pan: 'M10 2.5v15M2.5 10h15M7.8 4.7L10 2.5l2.2 2.2M7.8 15.3l2.2 2.2l2.2-2.2M4.7 7.8L2.5 10l2.2 2.2M15.3 7.8l2.2 2.2l-2.2 2.2',
  zoom: 'M8.5 3a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M12.5 12.5L17.5 17.5M6 8.5h5M8.5 6v5',
  measure: 'M2.5 13L13 2.5L17.5 7L7 17.5ZM5.5 10l1.6 1.6M8 7.5l2.2 2.2M10.5 5l1.6 1.6',
  play: 'M6 3.5v13l10-6.5Z',
  pause: 'M6.5 4v12M13.5 4v12',
  invert: 'M3 3h14v14h-14ZM17 3L3 17M8 17l9-9M13 17l4-4M4.5 15.5h0',
  overlays: 'M10 3l7 3.5-7 3.5-7-3.5ZM3 10l7 3.5 7-3.5M3 13.5l7 3.5 7-3.5',
  key: 'M10 2.8l2.2 4.7 5.1.6-3.8 3.5 1 5.1-4.5-2.6-4.5 2.6 1-5.1L2.7 8.1l5.1-.6Z',
  reset: 'M4 10a6.2 6.2 0 1 0 2-4.5M6.3 2.5v3.2h3.2',
  full: 'M3 7.5v-4.5h4.5M12.5 3h4.5v4.5M17 12.5v4.5h-4.5M7.5 17h-4.5v-4.5',
  link: 'M8.5 11.5a3.2 3.2 0 0 0 4.5 0l2.8-2.8a3.2 3.2 0 0 0-4.5-4.5l-1.3 1.3M11.5 8.5a3.2 3.2 0 0 0-4.5 0l-2.8 2.8a3.2 3.2 0 0 0 4.5 4.5l1.3-1.3',
  close: 'M4.5 4.5l11 11M15.5 4.5l-11 11',
} as const

export type IconName = keyof typeof ICONS

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', ICONS[name])
  svg.append(path)
  return svg
}
