import { type Entries, sizeOfEntry } from './zip-layout.ts'

/** A study in an archive of several. */
export type Folder = { name: string; entries: Entries }

/** The name, or with the next free number behind it: names are one where case and forms of letters alone differ. */
export function freeName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`
    // first to capitals, of which Greek has one for two small letters
    const key = free.normalize('NFKC').toUpperCase().toLowerCase()
    if (taken.has(key)) continue
    taken.add(key)
    return free
  }
}

/** The entries of all folders, one folder after the other; each entry is made when its turn comes. */
export function inFolders(folders: readonly Folder[]): Entries {
  const ends: number[] = []
  for (const { entries } of folders) ends.push((ends.at(-1) ?? 0) + entries.length)
  const find = (index: number) => {
    const place = ends.findIndex((end) => index < end)
    const folder = folders[place]
    return folder && { folder, within: index - (ends[place - 1] ?? 0) }
  }
  return {
    length: ends.at(-1) ?? 0,
    at: (index) => {
      const found = find(index)
      const entry = found?.folder.entries.at(found.within)
      return found && entry && { ...entry, name: `${found.folder.name}/${entry.name}` }
    },
    sizeAt: (index) => {
      const found = find(index)
      const size = found && sizeOfEntry(found.folder.entries, found.within)
      return size && { ...size, nameBytes: Buffer.byteLength(found.folder.name) + 1 + size.nameBytes }
    },
  }
}
