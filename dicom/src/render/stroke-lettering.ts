/**
 * Letters as polylines on a grid 4 wide and 6 high, for pictures made where no fonts are installed.
 * Each string holds strokes separated by blanks; a stroke is a run of points, two digits each (x, then y).
 */
const glyphs: Readonly<Record<string, string>> = {
  A: '062046 1434',
  B: '00304142330300 0006 3344453606',
  C: '4130100105163645',
  D: '00304145360600',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301001051636454323',
  H: '0006 4046 0343',
  I: '2026',
  J: '4045361605',
  K: '0006 4003 1246',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '100105163645413010',
  P: '06003041423303',
  Q: '100105163645413010 3446',
  R: '06003041423303 2346',
  S: '4130100102133344453616 1605',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
  '0': '100105163645413010 0541',
  '1': '112026 1636',
  '2': '0110304142330646',
  '3': '0110304142334445361605 1333',
  '4': '3630043444',
  '5': '40000313334445361605',
  '6': '4130100105163645443313 1304',
  '7': '004016',
  '8': '1001021333424130 1030 1304051636454433',
  '9': '4333130201103041453616 1605',
  '.': '2526',
  ';': '2223 2516',
  ',': '2516',
  ':': '2223 2526',
  '-': '1333',
  "'": '2021',
  '×': '1135 3115',
  '(': '30212536',
  ')': '10212516',
  '/': '4006',
}

const advance = 6

/** Width of a line at scale 1; it is 6 high. */
export function letteringWidth(text: string): number {
  return Math.max(0, text.length * advance - 2)
}

/** An SVG path of the text in capitals with its top left corner at `x`, `y`. Unknown characters leave a gap. */
export function letteringPath(text: string, x: number, y: number, scale: number): string {
  const strokes: string[] = []
  Array.from(text.toUpperCase()).forEach((character, index) => {
    for (const stroke of glyphs[character]?.split(' ') ?? []) {
      const points = stroke.match(/../g) ?? []
      const at = points.map((point) => {
        const px = x + (index * advance + Number(point[0])) * scale
        const py = y + Number(point[1]) * scale
        return `${px.toFixed(2)} ${py.toFixed(2)}`
      })
      strokes.push(`M${at.join('L')}`)
    }
  })
  return strokes.join('')
}

/** Breaks a text into lines of at most `letters`; what does not fit into `lines` is left out with an ellipsis. */
export function wrapLettering(text: string, letters: number, lines: number): string[] {
  const wrapped: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = wrapped.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= letters) wrapped[wrapped.length - 1] = `${last} ${word}`
    else wrapped.push(word.slice(0, letters))
  }
  if (wrapped.length <= lines) return wrapped
  const shown = wrapped.slice(0, lines)
  shown[lines - 1] = `${(shown[lines - 1] ?? '').slice(0, letters - 3)}...`
  return shown
}
