export interface StoredValue {
  readonly vr: string
  readonly bytes: Uint8Array
  readonly items: readonly Attributes[]
}

const latin1 = new TextDecoder('latin1')

/**
 * The few attributes that drawing needs, typed by how they are asked for: implicit VR does not say.
 * Tags are numbers (0x00280010).
 */
export class Attributes {
  readonly isBigEndian: boolean
  readonly #values: ReadonlyMap<number, StoredValue>

  constructor(values: ReadonlyMap<number, StoredValue>, isBigEndian: boolean) {
    this.#values = values
    this.isBigEndian = isBigEndian
  }

  has(tag: number): boolean {
    return (this.#values.get(tag)?.bytes.length ?? 0) > 0
  }

  bytes(tag: number): Uint8Array | undefined {
    const bytes = this.#values.get(tag)?.bytes
    return bytes && bytes.length > 0 ? bytes : undefined
  }

  /** The VR as written; empty in implicit VR. */
  vr(tag: number): string {
    return this.#values.get(tag)?.vr ?? ''
  }

  /** The text of a code string or UID, without padding. */
  text(tag: number): string | undefined {
    const bytes = this.bytes(tag)
    if (!bytes) return undefined
    return (
      latin1
        .decode(bytes)
        .replace(/[\0 ]+$/, '')
        .trim() || undefined
    )
  }

  /** Values of a decimal or integer string; unreadable ones become NaN so that positions stay. */
  decimals(tag: number): number[] {
    const text = this.text(tag)
    return text === undefined ? [] : text.split('\\').map((part) => Number.parseFloat(part))
  }

  decimal(tag: number): number | undefined {
    const value = this.decimals(tag)[0]
    return value === undefined || !Number.isFinite(value) ? undefined : value
  }

  /** 16-bit values (US, SS, OW). */
  shorts(tag: number, isSigned = false): number[] {
    const bytes = this.bytes(tag)
    if (!bytes) return []
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const little = !this.isBigEndian
    return Array.from({ length: bytes.length >> 1 }, (_, index) =>
      isSigned ? view.getInt16(2 * index, little) : view.getUint16(2 * index, little),
    )
  }

  short(tag: number, isSigned = false): number | undefined {
    return this.shorts(tag, isSigned)[0]
  }

  /** Floating point values of four bytes (FL) or eight (FD). */
  float(tag: number, size: 4 | 8): number | undefined {
    const bytes = this.bytes(tag)
    if (!bytes || bytes.length < size) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return size === 4 ? view.getFloat32(0, !this.isBigEndian) : view.getFloat64(0, !this.isBigEndian)
  }

  /** Unsigned 64-bit values (OV), little endian as extended offset tables are. */
  longs(tag: number): number[] {
    const bytes = this.bytes(tag)
    if (!bytes) return []
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return Array.from({ length: bytes.length >> 3 }, (_, index) => Number(view.getBigUint64(8 * index, true)))
  }

  items(tag: number): readonly Attributes[] {
    return this.#values.get(tag)?.items ?? []
  }
}
