/** Numbers in [0, 1) that are the same for the same seed, everywhere. */
export function randomFrom(seed: string): () => number {
  let [a, b, c, d] = hash128(seed) as [number, number, number, number]
  return () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 0x100000000
  }
}

/** A UID that is the same for the same seed: under `root`, or 2.25 followed by a 128-bit number. */
export function uidFrom(seed: string, root?: string): string {
  let number = 0n
  for (const word of hash128(seed)) number = (number << 32n) | BigInt(word >>> 0)
  return root
    ? `${root}.${String(number)
        .slice(0, 63 - root.length)
        .replace(/^0/, '1')}`
    : `2.25.${number}`
}

/** Spreads a text over four words; for repeatable test data, not for security. */
function hash128(text: string): number[] {
  return [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x85ebca6b].map((start) => {
    let hash = start
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995)
      hash = (hash << 13) | (hash >>> 19)
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) >>> 0
  })
}
