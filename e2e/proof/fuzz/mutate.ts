export type Random = () => number

export const MAX_INPUT_BYTES = 64 * 1024

/** Numbers at which lengths and counts break. */
const numbers = [0, 1, 2, 3, 4, 7, 8, 12, 127, 128, 255, 256, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x7fffffff]
const lengths = [...numbers, 0x80000000, 0xfffffff0, 0xfffffffe, 0xffffffff]

const vrs = 'AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV'
  .split(' ')
  .map((vr) => Buffer.from(vr))

/** Pieces that mean something where they stand: items, delimiters, the tags on which readers decide, escape sequences. */
const pieces = [
  'feff00e0ffffffff feff00e000000000 feff0de000000000 feffdde000000000 e07f10004f420000ffffffff e07f10004f570000',
  'fffee000ffffffff fffee0dd00000000 0800050043530a00 02000000554c040000000000 0200100055490000 28000800 28001000',
  '28001100 08001600 08001800 20000d00 20000e00 04002012 28000001 28000011 280010114f57 00600030 00520930 09001000',
  '1b2442 1b242943 1b2842 5c 5e 3d 0d0a0d0a',
].flatMap((line) => line.split(' ').map((hex) => Buffer.from(hex, 'hex')))
const words = [
  'DICM|ISO_IR 192|ISO 2022 IR 87|\\ISO 2022 IR 149|GB18030|1.2.840.10008.1.2|1.2.840.10008.1.2.2|1.2.840.10008.1.2.1.99',
  '1.2.840.10008.1.2.5|1.2.840.10008.1.2.4.50|PALETTE COLOR|YBR_FULL_422|--x',
].flatMap((line) => line.split('|').map((text) => Buffer.from(text, 'latin1')))

type Bytes = Buffer<ArrayBufferLike>
type Change = (bytes: Bytes, random: Random, other: Uint8Array) => Bytes

/** A few changes to `input`; `other` is one from the corpus that parts are taken from. */
export function mutate(input: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let bytes: Bytes = Buffer.from(input)
  const count = 1 + Math.floor(random() ** 2 * 6)
  for (let index = 0; index < count; index += 1) bytes = pick(changes, random)(bytes, random, other)
  return new Uint8Array(bytes.subarray(0, MAX_INPUT_BYTES))
}

const changes: readonly Change[] = [
  function flipBit(bytes, random) {
    const at = placeIn(bytes, random)
    return bytes.length === 0 ? bytes : overwrite(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << below(8, random))))
  },
  (bytes, random) => overwrite(bytes, placeIn(bytes, random), Uint8Array.of(below(256, random))),
  (bytes, random) => overwrite(bytes, placeIn(bytes, random), word16(pick(numbers, random), random() < 0.8)),
  (bytes, random) => overwrite(bytes, placeIn(bytes, random), word32(pick(lengths, random), random() < 0.8)),
  (bytes, random) => overwrite(bytes, placeIn(bytes, random), word32(below(bytes.length + 64, random), random() < 0.8)),
  function changeVr(bytes, random) {
    const at = findCapitals(bytes, placeIn(bytes, random))
    return at < 0 ? bytes : overwrite(bytes, at, pick(vrs, random))
  },
  function changeLengthBehindVr(bytes, random) {
    const at = findCapitals(bytes, placeIn(bytes, random))
    if (at < 0) return bytes
    return overwrite(
      bytes,
      at + 2,
      random() < 0.5 ? word16(pick(numbers, random), true) : word32(pick(lengths, random), true),
    )
  },
  (bytes, random) => overwrite(bytes, placeIn(bytes, random), pick(random() < 0.7 ? pieces : words, random)),
  (bytes, random) => insert(bytes, placeIn(bytes, random), pick(random() < 0.7 ? pieces : words, random)),
  (bytes, random) => insert(bytes, placeIn(bytes, random), stretchOf(bytes, random)),
  (bytes, random, other) => insert(bytes, placeIn(bytes, random), stretchOf(Buffer.from(other), random)),
  (bytes, random, other) => overwrite(bytes, placeIn(bytes, random), stretchOf(Buffer.from(other), random)),
  function removeStretch(bytes, random) {
    const at = placeIn(bytes, random)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(64, random))])
  },
  (bytes, random) => bytes.subarray(0, placeIn(bytes, random)),
  function repeatStretch(bytes, random) {
    const stretch = stretchOf(bytes, random)
    return insert(
      bytes,
      placeIn(bytes, random),
      Buffer.concat(Array.from({ length: 1 + below(40, random) }, () => stretch)),
    )
  },
]

export function pick<Thing>(things: readonly Thing[], random: Random): Thing {
  return things[below(things.length, random)] as Thing
}

function below(limit: number, random: Random): number {
  return Math.floor(random() * limit)
}

/** Headers stand in front and decide the most. */
function placeIn(bytes: Bytes, random: Random): number {
  return below(random() < 0.5 ? bytes.length : Math.min(bytes.length, 1024), random)
}

function stretchOf(bytes: Bytes, random: Random): Bytes {
  const at = placeIn(bytes, random)
  return bytes.subarray(at, at + 1 + below(128, random))
}

function overwrite(bytes: Bytes, at: number, put: Uint8Array): Bytes {
  const changed = Buffer.from(bytes)
  changed.set(put.subarray(0, Math.max(0, bytes.length - at)), at)
  return changed
}

function insert(bytes: Bytes, at: number, put: Uint8Array): Bytes {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at)])
}

function findCapitals(bytes: Bytes, from: number): number {
  const isCapital = (code: number | undefined) => code !== undefined && code >= 0x41 && code <= 0x5a
  for (let at = from; at + 1 < bytes.length; at += 1) if (isCapital(bytes[at]) && isCapital(bytes[at + 1])) return at
  return -1
}

function word16(value: number, isLittle: boolean): Bytes {
  const bytes = Buffer.alloc(2)
  if (isLittle) bytes.writeUInt16LE(value & 0xffff)
  else bytes.writeUInt16BE(value & 0xffff)
  return bytes
}

function word32(value: number, isLittle: boolean): Bytes {
  const bytes = Buffer.alloc(4)
  if (isLittle) bytes.writeUInt32LE(value >>> 0)
  else bytes.writeUInt32BE(value >>> 0)
  return bytes
}
