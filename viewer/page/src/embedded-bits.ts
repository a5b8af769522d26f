/** Bits of overlays inside the pixels, by image and by the number of the bit. */
const embedded = new WeakMap<object, ReadonlyMap<number, Uint8Array>>()

/** Remembers the bits of overlays that were taken out of the values of an image, for as long as the image is there. */
export function holdEmbeddedBits(image: object, bits: ReadonlyMap<number, Uint8Array>): void {
  embedded.set(image, bits)
}

export function embeddedBits(image: object, bit: number): Uint8Array | undefined {
  return embedded.get(image)?.get(bit)
}
