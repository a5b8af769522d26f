import type { Attributes } from './attributes.ts'
import { RenderError } from './render-error.ts'

/** Values from `first` on map to entries; below and above, to the first and the last. */
interface LookupTable {
  readonly first: number
  readonly bits: number
  readonly entries: ArrayLike<number>
}

export function lookUp(table: LookupTable, value: number): number {
  const index = Math.round(value) - table.first
  const last = table.entries.length - 1
  return table.entries[index < 0 ? 0 : index > last ? last : index] ?? 0
}

const lutDescriptor = 0x00283002
const lutData = 0x00283006

/** The table of a Modality or VOI LUT Sequence item (PS3.3 C.11.1.1). */
export function readLut(item: Attributes | undefined, isSigned: boolean): LookupTable | undefined {
  return item && readTable(item, lutDescriptor, lutData, isSigned)
}

export interface Palette {
  readonly red: LookupTable
  readonly green: LookupTable
  readonly blue: LookupTable
}

/** @throws RenderError when the palette is missing or contradicts itself */
export function readPalette(attributes: Attributes, isSigned: boolean): Palette {
  const channel = (number: number) => {
    const descriptor = 0x00281100 + number
    const plain = readTable(attributes, descriptor, 0x00281200 + number, isSigned)
    const table = plain ?? readSegmented(attributes, descriptor, 0x00281220 + number, isSigned)
    if (!table) throw new RenderError('damaged', 'The image names colours by number and carries no palette.')
    return table
  }
  return { red: channel(1), green: channel(2), blue: channel(3) }
}

function readDescriptor(attributes: Attributes, tag: number, isSigned: boolean) {
  const [count, , bits] = attributes.shorts(tag)
  if (count === undefined || bits === undefined) return undefined
  const first = attributes.shorts(tag, isSigned)[1] ?? 0
  return { count: count === 0 ? 65536 : count, first, bits: bits === 8 ? 8 : Math.min(16, Math.max(1, bits)) }
}

function readTable(attributes: Attributes, descriptorTag: number, dataTag: number, isSigned: boolean) {
  const descriptor = readDescriptor(attributes, descriptorTag, isSigned)
  const bytes = attributes.bytes(dataTag)
  if (!descriptor || !bytes) return undefined
  const { count, first, bits } = descriptor
  // 8-bit entries lie one in a byte, though some writers give each a word.
  const isWide = bytes.length >= count * 2
  const entries = isWide ? attributes.shorts(dataTag).slice(0, count) : bytes.subarray(0, count)
  return { first, bits, entries }
}

/** Discrete, linear and indirect segments (PS3.3 C.7.9.2). */
function readSegmented(attributes: Attributes, descriptorTag: number, dataTag: number, isSigned: boolean) {
  const descriptor = readDescriptor(attributes, descriptorTag, isSigned)
  const bytes = attributes.bytes(dataTag)
  if (!descriptor || !bytes) return undefined
  const words = descriptor.bits === 8 ? Array.from(bytes) : attributes.shorts(dataTag)
  const entries: number[] = []
  expandSegments(words, 0, Number.POSITIVE_INFINITY, entries, descriptor.count, descriptor.bits, true)
  return { first: descriptor.first, bits: descriptor.bits, entries }
}

function expandSegments(
  words: readonly number[],
  start: number,
  segments: number,
  entries: number[],
  count: number,
  bits: number,
  mayRefer: boolean,
): void {
  let at = start
  for (let done = 0; done < segments && at + 1 < words.length && entries.length < count; done++) {
    const kind = words[at] ?? 0
    const length = words[at + 1] ?? 0
    if (kind === 0) {
      entries.push(...words.slice(at + 2, at + 2 + Math.min(length, count - entries.length)))
      at += 2 + length
    } else if (kind === 1) {
      const from = entries.at(-1) ?? 0
      const to = words[at + 2] ?? 0
      for (let step = 1; step <= length && entries.length < count; step++) {
        entries.push(Math.round(from + ((to - from) * step) / length))
      }
      at += 3
    } else if (kind === 2 && mayRefer) {
      // The offset is in bytes; its halves lie in two words, or its quarters in four bytes.
      const isWide = bits > 8
      const parts = words.slice(at + 2, at + (isWide ? 4 : 6))
      const offset = parts.reduce((sum, part, index) => sum + part * (isWide ? 65536 : 256) ** index, 0)
      expandSegments(words, isWide ? offset / 2 : offset, length, entries, count, bits, false)
      at += isWide ? 4 : 6
    } else {
      throw new RenderError('damaged', 'The segmented palette is damaged.')
    }
  }
}
