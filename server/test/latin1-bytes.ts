/** A text as a system without a thought for character sets writes it. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'latin1')
  return bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.from(' ')])
}
