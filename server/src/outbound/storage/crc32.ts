/*
 * CRC-32 (the one of ZIP) as a polynomial modulo 0xedb88320, reflected. Appending n bytes multiplies by x^(8n), so
 * CRCs of parts can be put together and taken apart without reading the bytes again.
 */

/** CRC of `first` + `second`, from the CRCs of both and the length of the second. */
export function joinCrc32(first: number, second: number, secondBytes: number): number {
  return (shiftCrc32(first, secondBytes) ^ second) >>> 0
}

/** CRC of what follows a prefix, from the CRC of the whole, that of the prefix, and how many bytes follow. */
export function crc32OfRest(whole: number, prefix: number, restBytes: number): number {
  return (whole ^ shiftCrc32(prefix, restBytes)) >>> 0
}

function shiftCrc32(crc: number, bytes: number): number {
  let shifted = crc >>> 0
  let power = 3
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shifted = multiply(shifted, powerOfX(power))
    power += 1
  }
  return shifted
}

function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((a >>> bit) & 1) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ 0xedb88320 : shifted >>> 1
  }
  return product >>> 0
}

/** x^(2^n); in the reflected form x is bit 30. */
const powers: number[] = [0x40000000]
function powerOfX(n: number): number {
  for (let last = powers.length - 1; last < n; last += 1) {
    const power = powers[last] ?? 0
    powers.push(multiply(power, power))
  }
  return powers[n] ?? 0
}
