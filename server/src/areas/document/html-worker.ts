import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import pdfmake from 'pdfmake'
import sharp from 'sharp'
import { readOwnFile } from '../../outbound/files/own-file.ts'
import { type Block, contentOf, PAGE_MARGIN_PT, type HtmlPicture } from './html-content.ts'
import { decodeHtml, type HtmlElement, readHtml, tooLarge } from './html-tree.ts'
import { answerThread } from './in-thread.ts'
import { type Draws, type FaceName, UNDRAWN } from './text-faces.ts'

const MAX_PICTURES = 100
const MAX_PICTURE_PIXELS = 20_000_000
const MAX_PAGES = 200

const modules = createRequire(import.meta.url)
const fonts = {
  Sans: ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique', 'DejaVuSans-BoldOblique'],
  Mono: ['DejaVuSansMono', 'DejaVuSansMono-Bold', 'DejaVuSansMono-Oblique', 'DejaVuSansMono-BoldOblique'],
}
const faces = ['normal', 'bold', 'italics', 'bolditalics'] as const

await answerThread(async function* ({ html, name }: { html: Uint8Array; name: string }) {
  const root = readHtml(decodeHtml(html))
  const pictures = await openPictures(root)
  const { content, undrawn } = contentOf(root, { draws: openFonts(), pictures })
  yield { bytes: await writePdf(undrawn > 0 ? [noteOn(undrawn), ...content] : content, name), undrawn }
})

/** Registers the fonts with the PDF writer, and tells what each face draws. */
function openFonts(): Draws {
  const opened = new Map<string, Font>()
  const descriptors: Record<string, Record<FaceName, string>> = {}
  for (const [font, names] of Object.entries(fonts)) {
    const files = names.map((one, index) => {
      const bytes = readOwnFile(modules.resolve(`dejavu-fonts-ttf/ttf/${one}.ttf`))
      opened.set(`${font} ${faces[index]}`, create(bytes))
      pdfmake.virtualfs.writeFileSync(`${one}.ttf`, bytes)
      return [faces[index], `${one}.ttf`]
    })
    descriptors[font] = Object.fromEntries(files)
  }
  pdfmake.setFonts(descriptors)
  const known = new Map<string, boolean>()
  return (font, face, codePoint) => {
    const key = `${font} ${face} ${codePoint}`
    const before = known.get(key)
    if (before !== undefined) return before
    const draws = opened.get(`${font} ${face}`)?.hasGlyphForCodePoint(codePoint) ?? false
    known.set(key, draws)
    return draws
  }
}

/** The pictures that are in the file itself, as JPEG on white: what their own formats may hold is opened within limits. */
async function openPictures(root: HtmlElement): Promise<Map<string, HtmlPicture>> {
  const addresses = new Set<string>()
  collectAddresses(root, addresses)
  if (addresses.size > MAX_PICTURES) throw tooLarge(`The HTML has more than ${MAX_PICTURES} pictures`)
  const pictures = new Map<string, HtmlPicture>()
  for (const address of addresses) {
    const picture = await openPicture(address)
    if (picture) pictures.set(address, picture)
  }
  return pictures
}

function collectAddresses({ name, attributes, children }: HtmlElement, into: Set<string>): void {
  if (name === 'img' && attributes.src?.startsWith('data:')) into.add(attributes.src)
  for (const child of children) if (typeof child !== 'string') collectAddresses(child, into)
}

async function openPicture(address: string): Promise<HtmlPicture | undefined> {
  // drawings (SVG) may name other files; raster images cannot
  const match = /^data:image\/(?:png|jpeg|jpg|gif|webp);base64,/i.exec(address.slice(0, 100))
  if (!match) return undefined
  const bytes = Buffer.from(address.slice(match[0].length), 'base64')
  const isRaster = ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'RIFF'].some((start) =>
    bytes.toString('latin1', 0, 4).startsWith(start),
  )
  if (!isRaster) return undefined
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PICTURE_PIXELS })
      .rotate()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true })
    return { uri: `data:image/jpeg;base64,${data.toString('base64')}`, width: info.width, height: info.height }
  } catch {
    return undefined // a damaged or over-large picture is named in words
  }
}

function noteOn(undrawn: number): Block {
  const what = undrawn === 1 ? '1 character' : `${undrawn} characters`
  const each = undrawn === 1 ? `it stands as ${UNDRAWN}` : `each stands as ${UNDRAWN}`
  return {
    text: `${what} of the original cannot be shown here: ${each}. The original HTML file is attached beside this document.`,
    italics: true,
    margin: [0, 0, 0, 10],
  }
}

/** The same content gives the same bytes: the document says nothing of when it was made. */
async function writePdf(content: readonly Block[], title: string): Promise<Uint8Array> {
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
  pdfmake.setTableLayouts({
    hairlines: {
      hLineWidth: () => 0.5,
      vLineWidth: () => 0.5,
      hLineColor: () => '#999999',
      vLineColor: () => '#999999',
    },
  })
  const document = pdfmake.createPdf({
    content,
    pageSize: 'A4',
    pageMargins: PAGE_MARGIN_PT,
    defaultStyle: { font: 'Sans', fontSize: 10, lineHeight: 1.15 },
    footer: (page, pages) => {
      if (pages > MAX_PAGES) throw tooLarge(`The HTML has more than ${MAX_PAGES} pages`)
      return { text: `${page} / ${pages}`, alignment: 'center', fontSize: 8, margin: [0, 12, 0, 0] }
    },
    info: { title, creator: 'Hilum', producer: 'Hilum', creationDate: new Date(0) },
  })
  const { info } = await document.getStream()
  // the writer needs one, and writes what it meets in going through them
  Object.defineProperty(info, 'CreationDate', { enumerable: false })
  return new Uint8Array(await document.getBuffer())
}
