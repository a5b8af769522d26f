import type { HtmlElement } from './html-tree.ts'

/** How text is to look, as far as a report's meaning needs it. */
export interface TextStyle {
  bold: boolean
  italics: boolean
  decoration: 'underline' | 'lineThrough' | undefined
  mono: boolean
  /** Spaces and line ends count. */
  isPre: boolean
  sizePt: number
  align: 'left' | 'center' | 'right' | 'justify'
  color: string | undefined
  raised: 'sup' | 'sub' | undefined
  /** The width for lines and pictures. */
  widthPt: number
}

const headings: Readonly<Record<string, number>> = { h1: 18, h2: 15, h3: 13, h4: 12, h5: 11, h6: 10 }
const bold = new Set(['b', 'strong', 'th', 'dt', 'legend', 'summary', 'caption'])
const italics = new Set(['i', 'em', 'cite', 'var', 'dfn', 'address'])
const underlined = new Set(['u', 'ins', 'a'])
const struck = new Set(['s', 'strike', 'del'])
const mono = new Set(['pre', 'code', 'kbd', 'samp', 'tt', 'textarea', 'xmp', 'listing', 'plaintext'])

/** The style of an element inside another: by its name, and by the few properties of its own that carry meaning. */
export function styleOf({ name, attributes }: HtmlElement, around: TextStyle): TextStyle {
  const own: TextStyle = { ...around }
  const size = headings[name]
  if (size !== undefined) Object.assign(own, { sizePt: size, bold: true })
  if (bold.has(name)) own.bold = true
  if (italics.has(name)) own.italics = true
  if (underlined.has(name)) own.decoration = 'underline'
  if (struck.has(name)) own.decoration = 'lineThrough'
  if (mono.has(name)) own.mono = true
  if (name === 'pre' || name === 'textarea' || name === 'xmp' || name === 'listing') own.isPre = true
  if (name === 'small') own.sizePt = Math.max(7, around.sizePt - 1.5)
  if (name === 'big') own.sizePt = Math.min(20, around.sizePt + 1.5)
  if (name === 'sup' || name === 'sub') own.raised = name
  if (name === 'center') own.align = 'center'
  return { ...own, ...declared(attributes) }
}

/** Whether the file itself says that an element is not to be seen. */
export function isHidden({ name, attributes }: HtmlElement): boolean {
  if (attributes.hidden !== undefined || (name === 'input' && attributes.type?.toLowerCase() === 'hidden')) return true
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test((attributes.style ?? '').slice(0, MAX_STYLE))
}

const MAX_STYLE = 2000

function declared({ style = '', align, color }: HtmlElement['attributes']): Partial<TextStyle> {
  const found: Partial<TextStyle> = {}
  setAlign(found, align)
  setColor(found, color)
  for (const one of style.slice(0, MAX_STYLE).split(';')) {
    const colon = one.indexOf(':')
    const value = one
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    switch (one.slice(0, Math.max(0, colon)).trim().toLowerCase()) {
      case 'font-weight':
        found.bold = value === 'bold' || value === 'bolder' || Number(value) >= 600
        break
      case 'font-style':
        found.italics = value === 'italic' || value === 'oblique'
        break
      case 'text-decoration':
        found.decoration = value.includes('underline')
          ? 'underline'
          : value.includes('line-through')
            ? 'lineThrough'
            : undefined
        break
      case 'white-space':
        found.isPre = value.startsWith('pre')
        break
      case 'text-align':
        setAlign(found, value)
        break
      case 'color':
        setColor(found, value)
        break
    }
  }
  return found
}

function setAlign(found: Partial<TextStyle>, value: string | undefined): void {
  const align = value?.toLowerCase()
  if (align === 'left' || align === 'center' || align === 'right' || align === 'justify') found.align = align
}

const named: Readonly<Record<string, string>> = {
  red: '#cc0000',
  darkred: '#8b0000',
  maroon: '#800000',
  blue: '#0000ff',
  navy: '#000080',
  green: '#008000',
  darkgreen: '#006400',
  purple: '#800080',
}

/** Dark colours alone: what stands in light ones stands on a dark ground, which is not drawn. */
function setColor(found: Partial<TextStyle>, value: string | undefined): void {
  const hex = value === undefined ? undefined : (named[value.toLowerCase()] ?? longHex(value))
  if (hex === undefined) return
  const channels = [1, 3, 5].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2)
  const [red = 0, green = 0, blue = 0] = channels
  const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
  found.color = contrast >= 4.5 ? hex : undefined
}

function longHex(value: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(value)) return value
  return /^#[0-9a-f]{3}$/i.test(value) ? value.replace(/[0-9a-f]/gi, '$&$&') : undefined
}
