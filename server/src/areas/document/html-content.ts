import { isHidden, styleOf, type TextStyle } from './html-style.ts'
import { readTable } from './html-table.ts'
import type { HtmlElement } from './html-tree.ts'
import { type Draws, runsOf, type TextRun } from './text-faces.ts'

/** A piece of a document as the PDF writer takes it. */
export type Block = Readonly<Record<string, unknown>>

/** A picture of the file as a JPEG in a data: URI, with its size in pixels. */
export interface HtmlPicture {
  uri: string
  width: number
  height: number
}

/** A4 with margins of 14 mm. */
export const PAGE_MARGIN_PT = 40
const TEXT_WIDTH_PT = 595 - 2 * PAGE_MARGIN_PT
const TEXT_HEIGHT_PT = 842 - 2 * PAGE_MARGIN_PT
/** CSS pixels: 96 an inch. */
const PT_PER_PIXEL = 0.75

const plain: TextStyle = {
  bold: false,
  italics: false,
  decoration: undefined,
  mono: false,
  isPre: false,
  sizePt: 10,
  align: 'left',
  color: undefined,
  raised: undefined,
  widthPt: TEXT_WIDTH_PT,
}

/** Elements that stand on lines of their own, with the space below them in points. */
const spaceBelow: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'address article aside body caption center details dd div dl dt fieldset figcaption figure footer form header html legend li main nav section summary tr td th thead tbody tfoot'
      .split(' ')
      .map((name) => [name, 0]),
  ),
  p: 6,
  blockquote: 6,
  pre: 6,
  textarea: 6,
  xmp: 6,
  listing: 6,
  h1: 8,
  h2: 7,
  h3: 6,
  h4: 5,
  h5: 4,
  h6: 4,
}
const indented: Readonly<Record<string, number>> = { blockquote: 20, dd: 20 }

/**
 * The content of an HTML tree for the PDF writer.
 * @param pictures by their address in the file; what is not there is named in words
 */
export function contentOf(
  root: HtmlElement,
  { draws, pictures }: { draws: Draws; pictures: ReadonlyMap<string, HtmlPicture> },
): { content: Block[]; undrawn: number } {
  const writer = new ContentWriter(draws, pictures)
  return { content: writer.blocksOf(root.children, plain), undrawn: writer.undrawn }
}

/** Lines in the making, and the blocks before them. */
interface Sink {
  blocks: Block[]
  line: TextRun[]
  below: number
}

class ContentWriter {
  undrawn = 0
  readonly #draws: Draws
  readonly #pictures: ReadonlyMap<string, HtmlPicture>

  constructor(draws: Draws, pictures: ReadonlyMap<string, HtmlPicture>) {
    this.#draws = draws
    this.#pictures = pictures
  }

  blocksOf(children: HtmlElement['children'], style: TextStyle): Block[] {
    const sink: Sink = { blocks: [], line: [], below: 0 }
    this.#write(children, style, sink)
    endLine(sink, style)
    return sink.blocks
  }

  #write(children: HtmlElement['children'], style: TextStyle, sink: Sink): void {
    for (const child of children) {
      if (typeof child === 'string') this.#writeText(child, style, sink)
      else if (!isHidden(child)) this.#writeElement(child, style, sink)
    }
  }

  #writeText(text: string, style: TextStyle, sink: Sink): void {
    const last = sink.line.at(-1)?.text
    const isAtStart = last === undefined || /[ \n]$/.test(last)
    const collapsed = text.replace(/[ \t\n\r\f]+/g, ' ')
    const shown = style.isPre
      ? text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ')
      : isAtStart
        ? collapsed.replace(/^ /, '')
        : collapsed
    if (shown === '') return
    const { runs, undrawn } = runsOf(shown, style, this.#draws)
    this.undrawn += undrawn
    sink.line.push(...runs)
  }

  #writeElement(element: HtmlElement, around: TextStyle, sink: Sink): void {
    const { name, attributes, children } = element
    const style = styleOf(element, around)
    switch (name) {
      case 'br':
        sink.line.push({ text: '\n', font: 'Sans', bold: false, italics: false, fontSize: style.sizePt })
        return
      case 'wbr':
        return
      case 'hr':
        return this.#putBlock(sink, around, ruleOf(around.widthPt))
      case 'img':
        return this.#writePicture(attributes, style, sink)
      case 'input':
        return this.#writeText(inputText(attributes), style, sink)
      case 'select':
        return this.#writeText(chosenText(element), style, sink)
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return this.#putBlock(sink, around, this.#listOf(element, style))
      case 'table': {
        const columns = (widthPt: number) => ({ ...style, widthPt })
        const { above, table } = readTable(element, around.widthPt, (cell, widthPt) =>
          this.blocksOf(cell.children, styleOf(cell, columns(widthPt))),
        )
        for (const one of this.blocksOf(above, style)) this.#putBlock(sink, around, one)
        if (table) this.#putBlock(sink, around, table)
        return
      }
    }
    const below = spaceBelow[name]
    if (below === undefined) return this.#write(children, style, sink)
    endLine(sink, around)
    const indent = indented[name] ?? 0
    const inside = { ...style, widthPt: Math.max(40, style.widthPt - indent) }
    const blocks = this.blocksOf(children, inside)
    if (blocks.length === 0) return
    sink.blocks.push(
      indent === 0 && below === 0 && blocks.length === 1 && blocks[0]
        ? blocks[0]
        : { stack: blocks, margin: [indent, 0, 0, below] },
    )
  }

  #listOf({ name, attributes, children }: HtmlElement, style: TextStyle): Block {
    const inside = { ...style, widthPt: Math.max(40, style.widthPt - 20) }
    const items = children
      .filter((child) => typeof child !== 'string' || child.trim() !== '')
      .filter((child) => typeof child === 'string' || !isHidden(child))
      .map((child) => ({
        stack: this.blocksOf(
          typeof child !== 'string' && child.name === 'li' ? child.children : [child],
          typeof child === 'string' ? inside : styleOf(child, inside),
        ),
      }))
    const start = /^\d{1,6}$/.test(attributes.start ?? '') ? { start: Number(attributes.start) } : {}
    return { ...(name === 'ol' ? { ol: items, ...start } : { ul: items }), margin: [0, 0, 0, 6] }
  }

  #writePicture({ src = '', alt = '' }: HtmlElement['attributes'], style: TextStyle, sink: Sink): void {
    const picture = this.#pictures.get(src)
    if (!picture) {
      const what = alt.trim() ? `Picture not shown: ${alt.trim()}` : 'Picture not shown'
      return this.#writeText(`[${what}]`, { ...style, italics: true }, sink)
    }
    const width = Math.min(style.widthPt, picture.width * PT_PER_PIXEL)
    const factor = Math.min(1, TEXT_HEIGHT_PT / ((width * picture.height) / picture.width))
    this.#putBlock(sink, style, { image: picture.uri, width: width * factor, alignment: style.align, margin: [0, 2] })
  }

  #putBlock(sink: Sink, style: TextStyle, block: Block): void {
    endLine(sink, style)
    sink.blocks.push(block)
  }
}

/** The line so far becomes a paragraph; spaces at its end are nobody's. */
function endLine(sink: Sink, { align, isPre }: TextStyle): void {
  const { line } = sink
  sink.line = []
  if (!isPre) trimEnd(line)
  if (line.length > 0) sink.blocks.push({ text: line, alignment: align })
}

function trimEnd(line: TextRun[]): void {
  for (let last = line.at(-1); last; last = line.at(-1)) {
    last.text = last.text.replace(/[ \n]+$/, '')
    if (last.text !== '') return
    line.pop()
  }
}

function ruleOf(widthPt: number): Block {
  return {
    canvas: [{ type: 'line', x1: 0, y1: 0, x2: widthPt, y2: 0, lineWidth: 0.5, lineColor: '#888888' }],
    margin: [0, 4, 0, 6],
  }
}

function inputText({ type = 'text', value = '', checked }: HtmlElement['attributes']): string {
  const kind = type.toLowerCase()
  if (kind === 'checkbox') return checked === undefined ? '\u2610' : '\u2611'
  if (kind === 'radio') return checked === undefined ? '\u25cb' : '\u25c9'
  return kind === 'password' || kind === 'file' || kind === 'image' ? '' : value
}

/** The chosen options of a menu; a browser chooses the first where the file does not say. */
function chosenText(menu: HtmlElement): string {
  const options = menu.children
    .flatMap((child) => (typeof child !== 'string' && child.name === 'optgroup' ? child.children : [child]))
    .filter((child) => typeof child !== 'string')
  const chosen = options.filter(({ attributes }) => attributes.selected !== undefined)
  return (chosen.length > 0 ? chosen : options.slice(0, 1)).map(textOfNode).join(', ')
}

/** The text inside an element, without its looks. */
function textOfNode({ children }: HtmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : textOfNode(child))).join('')
}
