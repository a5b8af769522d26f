import { beginsElementAfter, isBlankVr } from '../elements.ts'
import type { WindowedReader } from './byte-source.ts'
import { RenderError } from './render-error.ts'

export interface WalkEncoding {
  readonly isExplicit: boolean
  readonly isBigEndian: boolean
}

export interface ElementHead {
  readonly tag: number
  /** Empty in implicit VR. */
  readonly vr: string
  readonly valueOffset: number
  /** `undefinedLength` when delimited. */
  readonly length: number
}

export const undefinedLength = 0xffffffff
export const itemTag = 0xfffee000
const itemEndTag = 0xfffee00d
export const sequenceEndTag = 0xfffee0dd

const longForm = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])
const implicitLittle: WalkEncoding = { isExplicit: false, isBigEndian: false }

/** The element that begins at `offset`, or undefined where the source ends. */
export async function readElementHead(
  reader: WindowedReader,
  offset: number,
  encoding: WalkEncoding,
): Promise<ElementHead | undefined> {
  const bytes = reader.peek(offset, 12) ?? (await reader.fetch(offset, 12))
  if (bytes.length < 8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const little = !encoding.isBigEndian
  const tag = view.getUint16(0, little) * 0x10000 + view.getUint16(2, little)
  const isDelimiter = tag === itemTag || tag === itemEndTag || tag === sequenceEndTag
  const vr = String.fromCharCode(bytes[4] ?? 0, bytes[5] ?? 0)
  if (!encoding.isExplicit || isDelimiter || !/^[A-Z]{2}$/.test(vr)) {
    const shortLength = view.getUint16(6, little)
    const mayBeBlank = encoding.isExplicit && !isDelimiter && isBlankVr(bytes[4] ?? 0, bytes[5] ?? 0)
    if (mayBeBlank && (await isElementNext(reader, offset + 8 + shortLength, tag, little)))
      return { tag, vr: '', valueOffset: offset + 8, length: shortLength }
    // Some writers drop into implicit VR for single elements of an explicit data set: no capital letters, no VR.
    return { tag, vr: '', valueOffset: offset + 8, length: view.getUint32(4, little) }
  }
  if (!longForm.has(vr)) return { tag, vr, valueOffset: offset + 8, length: view.getUint16(6, little) }
  if (bytes.length < 12) return undefined
  return { tag, vr, valueOffset: offset + 12, length: view.getUint32(8, little) }
}

/** Whether the data set at `offset` is explicit, by its first element: the bytes go before the declaration. */
export async function beginsExplicit(reader: WindowedReader, offset: number, isBigEndian = false): Promise<boolean> {
  const head = await readElementHead(reader, offset, { isExplicit: true, isBigEndian })
  if (!head || head.vr !== '') return head !== undefined
  const implicit = await readElementHead(reader, offset, { isExplicit: false, isBigEndian })
  // blanks in place of the VR, with a length of two bytes behind them
  return implicit?.length !== head.length
}

/** Whether a value whose element has blanks in place of its VR ends at `offset`; see `hasBlankVr`. */
async function isElementNext(
  reader: WindowedReader,
  offset: number,
  previousTag: number,
  little: boolean,
): Promise<boolean> {
  if (offset === reader.source.size) return true
  const bytes = await reader.fetch(offset, 8)
  if (bytes.length < 8) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return beginsElementAfter(view, 0, previousTag, little)
}

/** Elements inside a sequence of VR UN are implicit VR little endian (PS3.5 §6.2.2). */
export function encodingInside(head: ElementHead, encoding: WalkEncoding): WalkEncoding {
  return head.vr === 'UN' ? implicitLittle : encoding
}

/**
 * Where the element after `head` begins. Nesting of undefined lengths is followed without recursion: hostile files
 * nest thousands of levels.
 */
export async function offsetAfter(reader: WindowedReader, head: ElementHead, encoding: WalkEncoding): Promise<number> {
  if (head.length !== undefinedLength) return head.valueOffset + head.length
  const open: WalkEncoding[] = [encodingInside(head, encoding)]
  let offset = head.valueOffset
  while (open.length > 0) {
    const inside = open.at(-1) as WalkEncoding
    const next = await readElementHead(reader, offset, inside)
    if (!next) throw new RenderError('damaged', 'The file ends inside a sequence.')
    offset = next.valueOffset
    if (next.tag === itemEndTag || next.tag === sequenceEndTag) open.pop()
    else if (next.length === undefinedLength) open.push(encodingInside(next, inside))
    else offset += next.length
  }
  return offset
}
