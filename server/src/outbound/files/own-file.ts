import { readFileSync } from 'node:fs'

/** Reads a file that is part of the product or of one of its packages: fonts, lists. */
export function readOwnFile(place: URL | string): Buffer {
  return readFileSync(place)
}
