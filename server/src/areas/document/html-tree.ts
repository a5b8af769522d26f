import { StorageError } from '@hilum/contract/storage-errors'
import { Parser } from 'htmlparser2'

export interface HtmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (HtmlElement | string)[]
}

const MAX_DEPTH = 128
const MAX_ELEMENTS = 50_000
const MAX_CHARS = 500_000

/** Elements that run, that are fetched, that are drawn by other rules than text, or that are not shown. */
const passedOver = new Set(
  'script style title template iframe frame frameset noframes object embed applet svg math video audio canvas map datalist'.split(
    ' ',
  ),
)

/**
 * Reads HTML into a tree of what may be shown, as leniently as browsers do.
 * @throws StorageError PAYLOAD_TOO_LARGE when it is too deep, has too many elements or too much text
 */
export function readHtml(text: string): HtmlElement {
  const root: HtmlElement = { name: 'body', attributes: {}, children: [] }
  const open = [root]
  let elements = 0
  let chars = 0
  let depthPassedOver = 0
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (depthPassedOver > 0 || passedOver.has(name)) {
        depthPassedOver += 1
        return
      }
      elements += 1
      if (elements > MAX_ELEMENTS) throw tooLarge(`The HTML has more than ${MAX_ELEMENTS} elements`)
      if (open.length > MAX_DEPTH) throw tooLarge(`The HTML is nested deeper than ${MAX_DEPTH} elements`)
      const element: HtmlElement = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    ontext: (some) => {
      if (depthPassedOver > 0) return
      chars += some.length
      if (chars > MAX_CHARS) throw tooLarge(`The HTML has more than ${MAX_CHARS} characters of text`)
      const { children } = open.at(-1) ?? root
      const last = children.at(-1)
      if (typeof last === 'string') children[children.length - 1] = last + some
      else children.push(some)
    },
    onclosetag: () => {
      if (depthPassedOver > 0) depthPassedOver -= 1
      else if (open.length > 1) open.pop()
    },
  })
  parser.end(text)
  return root
}

/** The text of an HTML file in the encoding that its mark, its head or its bytes tell. */
export function decodeHtml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const named = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?([\w-]{1,40})/i.exec(start)?.[1]
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoderOf(named).decode(bytes) // no UTF-8, whatever it says
  }
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label && !/^utf-?(8|16)/i.test(label) ? label : 'windows-1252')
  } catch {
    return new TextDecoder('windows-1252') // a name of no encoding
  }
}

export function tooLarge(message: string): StorageError {
  return new StorageError('PAYLOAD_TOO_LARGE', message)
}
