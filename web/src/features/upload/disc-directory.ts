import type { PickedFile, SkippedFile } from './picked-files.ts'

/** The largest directory that is read: that of a disc of some hundred thousand files. */
const LARGEST_BYTES = 128 * 1024 * 1024
/** A file ID has at most eight components of eight characters (PS3.10 §8.2). */
const LONGEST_ID_BYTES = 128

/**
 * Files that directories of discs (DICOMDIR) name and that are not there: what is left of a disc that was copied in part.
 * The directory is a hint alone, since the images tell of themselves; one that cannot be read tells nothing.
 * @param seen paths of all files that were found
 */
export async function findMissingOnDisc(
  directories: readonly PickedFile[],
  seen: ReadonlySet<string>,
): Promise<SkippedFile[]> {
  if (directories.length === 0) return []
  const known = new Set([...seen].map(plain))
  const missing: SkippedFile[] = []
  for (const { path, file } of directories) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    for (const id of await readFileIds(file)) {
      const named = `${folder}${id}`
      if (!known.has(plain(named))) missing.push({ path: named, sizeBytes: 0, reason: { kind: 'not-on-disc' } })
    }
  }
  return missing
}

async function readFileIds(file: File): Promise<Set<string>> {
  if (file.size > LARGEST_BYTES) return new Set()
  try {
    return listFileIds(new Uint8Array(await file.arrayBuffer()))
  } catch {
    return new Set() // the images of the disc are found without it, or are not
  }
}

/**
 * Referenced File IDs (0004,1500) of a directory in little endian, as paths: searched for by their tag, so that a
 * directory with wrong offsets or lengths tells its files too. Source: PS3.3 F.3.2.2.
 */
export function listFileIds(bytes: Uint8Array): Set<string> {
  const ids = new Set<string>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = bytes.indexOf(0x04); at >= 0 && at + 8 <= bytes.length; at = bytes.indexOf(0x04, at + 1)) {
    if (view.getUint32(at, true) !== 0x15000004) continue
    const isExplicit = bytes[at + 4] === 0x43 && bytes[at + 5] === 0x53
    const length = isExplicit ? view.getUint16(at + 6, true) : view.getUint32(at + 4, true)
    if (length === 0 || length > LONGEST_ID_BYTES || at + 8 + length > bytes.length) continue
    const components = new TextDecoder().decode(bytes.subarray(at + 8, at + 8 + length)).split('\\')
    ids.add(components.map((one) => one.replaceAll('\0', '').trim()).join('/'))
  }
  return ids
}

/** Discs are read in lower case here and there, and with what ISO 9660 puts behind a name. */
const plain = (path: string) => path.toLowerCase().replace(/(\.?;1|\.)$/, '')
