import { sha256 } from '@noble/hashes/sha2'

/** The browser hashes only whole buffers; a larger file is read and hashed piece by piece. */
const LARGEST_WHOLE_BYTES = 32 * 1024 * 1024
/** Files that are read at the same time: reading one waits for the disc, and for other processes of the browser. */
const HASHES_AT_ONCE = 4

/** A file is hashed once, however often its hash is asked for; a file that could not be read is tried again. */
const known = new WeakMap<File, Promise<string | undefined>>()

/**
 * SHA-256 in lower-case hexadecimal; undefined when the file cannot be read. Where the page has no `crypto.subtle`, as
 * it was loaded neither over https nor from this machine, the hash is worked out here.
 */
export async function findHash(file: File): Promise<string | undefined> {
  const asked = known.get(file) ?? workOut(file)
  known.set(file, asked)
  const hash = await asked
  if (hash === undefined) known.delete(file)
  return hash
}

/** Hashes files whose bytes are in memory, so that they need not be read for it again; where the browser hashes by itself. */
export async function hashBytes(files: ReadonlyMap<File, Uint8Array<ArrayBuffer>>): Promise<void> {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (!subtle) return
  const hash = async (bytes: Uint8Array<ArrayBuffer>) => toHex(new Uint8Array(await subtle.digest('SHA-256', bytes)))
  const begun = [...files].map(([file, bytes]) => [file, hash(bytes).catch(() => undefined)] as const)
  for (const [file, asked] of begun) if (!known.has(file)) known.set(file, asked)
  await Promise.all(begun.map(([, asked]) => asked))
}

/**
 * Hashes files, a few at a time.
 * @returns the hashes of those that can be read
 * @throws the signal's reason once that is aborted
 */
export async function findHashes<Of extends { file: File }>(
  files: Iterable<Of>,
  signal: AbortSignal,
): Promise<ReadonlyMap<Of, string>> {
  const hashes = new Map<Of, string>()
  const rest = files[Symbol.iterator]()
  async function hashRest() {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      signal.throwIfAborted()
      const hash = await findHash(next.value.file)
      if (hash) hashes.set(next.value, hash)
    }
  }
  await Promise.all(Array.from({ length: HASHES_AT_ONCE }, hashRest))
  return hashes
}

async function workOut(file: File): Promise<string | undefined> {
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
