/** Above this a file is sent again rather than held in memory as a whole: the browser hashes only whole buffers. */
const LARGEST_HASHED_BYTES = 256 * 1024 * 1024

/**
 * SHA-256 in lower-case hexadecimal; undefined when the file is too large, cannot be read, or the page has no
 * `crypto.subtle` (it was not loaded over https or from this machine).
 */
export async function findHash(file: File): Promise<string | undefined> {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (!subtle || file.size > LARGEST_HASHED_BYTES) return undefined
  try {
    const digest = await subtle.digest('SHA-256', await file.arrayBuffer())
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return undefined // Sending it will tell the person why it cannot be read.
  }
}
