import { sha256 } from '@noble/hashes/sha2'

/** The browser hashes only whole buffers; a larger file is read and hashed piece by piece. */
const LARGEST_WHOLE_BYTES = 32 * 1024 * 1024

/**
 * SHA-256 in lower-case hexadecimal; undefined when the file cannot be read. Where the page has no `crypto.subtle`, as
 * it was loaded neither over https nor from this machine, the hash is worked out here.
 */
export async function findHash(file: File): Promise<string | undefined> {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  try {
    const isWhole = subtle !== undefined && file.size <= LARGEST_WHOLE_BYTES
    return toHex(isWhole ? await hashWhole(file, subtle) : await hashInPieces(file))
  } catch {
    return undefined // Sending it will tell the person why it cannot be read.
  }
}

async function hashWhole(file: File, subtle: SubtleCrypto): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()))
}

async function hashInPieces(file: File): Promise<Uint8Array> {
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) hash.update(piece.value)
  return hash.digest()
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
