/**
 * Hilum's dark colours (web/src and page/src/style.css) in the places of OHIF's blues. The full viewer is dark in both
 * schemes: pixels are read against near-black.
 */

/** OHIF's theme: hue, saturation and lightness of each role. */
const THEME: Readonly<Record<string, string>> = {
  highlight: '195 57% 67%',
  neutral: '211 13% 64%',
  'neutral-light': '213 15% 74%',
  'neutral-dark': '212 18% 20%',
  background: '210 22% 4%',
  foreground: '213 20% 91%',
  card: '215 23% 10%',
  'card-foreground': '213 20% 91%',
  popover: '214 21% 13%',
  'popover-foreground': '213 20% 91%',
  primary: '195 51% 53%',
  'primary-foreground': '210 22% 4%',
  secondary: '212 18% 20%',
  'secondary-foreground': '213 20% 91%',
  muted: '215 23% 10%',
  'muted-foreground': '211 13% 64%',
  accent: '197 54% 15%',
  'accent-foreground': '213 20% 91%',
  border: '212 18% 20%',
  input: '212 18% 26%',
  ring: '195 51% 53%',
}

export const HILUM_THEME = `:root:root { ${Object.entries(THEME)
  .map(([role, colour]) => `--${role}: ${colour};`)
  .join(' ')} }
`

/** Colours that OHIF's style sheets name outright, as red, green and blue. */
const IN_STYLES: readonly (readonly [theirs: string, ours: string])[] = [
  ['4 28 74', '20 25 32'],
  ['9 12 41', '20 25 32'],
  ['11 31 84', '20 25 32'],
  ['9 40 110', '26 32 40'],
  ['14 48 127', '26 32 40'],
  ['42 42 74', '26 32 40'],
  ['34 45 68', '26 32 40'],
  ['58 63 153', '42 51 61'],
  ['43 22 107', '42 51 61'],
  ['9 68 179', '18 48 60'],
  ['15 58 148', '18 48 60'],
  ['20 84 212', '18 48 60'],
  ['52 140 253', '75 166 196'],
  ['90 204 230', '124 196 219'],
  ['123 178 206', '152 163 175'],
]

/** Colours that its drawings name outright. */
const IN_SCRIPTS: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/#348cfd\b/gi, '#4ba6c4'],
  [/#5acce6\b/gi, '#7cc4db'],
  [/#041c4a\b/gi, '#141920'],
]

export function colourStyle(source: string): string {
  return IN_STYLES.reduce((text, [theirs, ours]) => text.replaceAll(`rgb(${theirs}/`, `rgb(${ours}/`), source)
}

export function colourScript(source: string): string {
  return IN_SCRIPTS.reduce((text, [theirs, ours]) => text.replace(theirs, ours), source)
}
