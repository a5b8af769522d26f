/** Small DICOM objects in Explicit VR Little Endian, built for tests of drawing. */

export interface TestElement {
  readonly tag: number
  readonly vr: string
  readonly value: Uint8Array | string | number | readonly number[] | readonly (readonly TestElement[])[]
}

export interface TestImage {
  readonly rows: number
  readonly columns: number
  readonly samples?: number
  readonly bits?: number
  readonly stored?: number
  readonly highBit?: number
  readonly isSigned?: boolean
  readonly isPlanar?: boolean
  readonly photometric?: string
  readonly frames?: number
  readonly transferSyntax?: string
  readonly elements?: readonly TestElement[]
  readonly pixels?: Uint8Array
  readonly pixelTag?: number
  readonly pixelVr?: string
  /** Item values of encapsulated pixel data, the offset table first. */
  readonly fragments?: readonly Uint8Array[]
}

export function buildObject(image: TestImage): Uint8Array {
  const bits = image.bits ?? 8
  const stored = image.stored ?? bits
  const us = (tag: number, value: number): TestElement => ({ tag, vr: 'US', value })
  const elements: TestElement[] = [
    us(0x00280002, image.samples ?? 1),
    { tag: 0x00280004, vr: 'CS', value: image.photometric ?? 'MONOCHROME2' },
    us(0x00280006, image.isPlanar ? 1 : 0),
    { tag: 0x00280008, vr: 'IS', value: String(image.frames ?? 1) },
    us(0x00280010, image.rows),
    us(0x00280011, image.columns),
    us(0x00280100, bits),
    us(0x00280101, stored),
    us(0x00280102, image.highBit ?? stored - 1),
    us(0x00280103, image.isSigned ? 1 : 0),
    ...(image.elements ?? []),
  ]
  elements.sort((one, other) => one.tag - other.tag)
  const meta: TestElement = { tag: 0x00020010, vr: 'UI', value: image.transferSyntax ?? '1.2.840.10008.1.2.1' }
  const parts = [new Uint8Array(128), Buffer.from('DICM'), encode(meta), ...elements.map(encode)]
  const pixelTag = image.pixelTag ?? 0x7fe00010
  if (image.fragments) {
    parts.push(header(pixelTag, 'OB', 0xffffffff), ...image.fragments.map((bytes) => item(bytes)), item(undefined))
  } else if (image.pixels) parts.push(encode({ tag: pixelTag, vr: image.pixelVr ?? 'OW', value: image.pixels }))
  return new Uint8Array(Buffer.concat(parts))
}

/** Little-endian bytes of 16-bit values. */
export function words(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2)
  const view = new DataView(bytes.buffer)
  values.forEach((value, index) => view.setUint16(index * 2, value & 0xffff, true))
  return bytes
}

function tagBytes(tag: number): Uint8Array {
  return words([Math.floor(tag / 0x10000), tag % 0x10000])
}

function header(tag: number, vr: string, length: number): Uint8Array {
  const isLong = ['OB', 'OW', 'OF', 'OD', 'OV', 'SQ', 'UN'].includes(vr)
  const bytes = Buffer.alloc(isLong ? 12 : 8)
  bytes.set(tagBytes(tag))
  bytes.write(vr, 4, 'latin1')
  if (isLong) bytes.writeUInt32LE(length, 8)
  else bytes.writeUInt16LE(length, 6)
  return bytes
}

function item(value: Uint8Array | undefined): Uint8Array {
  const head = Buffer.alloc(8)
  head.set(tagBytes(value ? 0xfffee000 : 0xfffee0dd))
  head.writeUInt32LE(value?.length ?? 0, 4)
  return Buffer.concat([head, value ?? new Uint8Array(0)])
}

function encode({ tag, vr, value }: TestElement): Uint8Array {
  let bytes: Uint8Array
  if (value instanceof Uint8Array) bytes = value
  else if (typeof value === 'string') bytes = Buffer.from(value.length % 2 ? `${value} ` : value, 'latin1')
  else if (typeof value === 'number') bytes = words([value])
  else if (value.every((entry) => typeof entry === 'number')) bytes = words(value)
  else {
    const items = value as readonly (readonly TestElement[])[]
    bytes = Buffer.concat(items.map((elements) => item(Buffer.concat(elements.map(encode)))))
  }
  return Buffer.concat([header(tag, vr, bytes.length), bytes])
}
