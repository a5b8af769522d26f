import type { Entries } from './zip-layout.ts'

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
  return {
    length: ends.at(-1) ?? 0,
    at: (index) => {
      const place = ends.findIndex((end) => index < end)
      const folder = folders[place]
      const entry = folder?.entries.at(index - (ends[place - 1] ?? 0))
      return folder && entry && { ...entry, name: `${folder.name}/${entry.name}` }
    },
  }
}
