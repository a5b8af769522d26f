import type { Part } from '../storage/parts.ts'
import type { ZipEntry } from './zip-layout.ts'

const SECTOR_BYTES = 2048
const SYSTEM_SECTORS = 16
/** A longer file is written as several extents (ECMA-119 §6.5.1). */
const MAX_EXTENT_BYTES = 0xffff_f800
const IS_FOLDER = 0x02
const GOES_ON = 0x80

type Extent = { sector: number; bytes: number }
type File = { name: string; extents: Extent[]; entry: Pick<ZipEntry, 'length' | 'parts'> }
type Folder = { name: string; sector: number; bytes: number; files: File[] }

/**
 * The image of a disc (ISO 9660, ECMA-119 level 1; level 3 for files from 4 GB) with folders one deep, as a list of
 * parts: its length and any range of it are known at once.
 * @param entries names are `NAME` or `FOLDER/NAME`, in 8 upper-case characters each, or with an ending of 3
 */
export function layoutIso(entries: readonly Pick<ZipEntry, 'name' | 'length' | 'parts'>[], modified: Date): Part[] {
  const folders = foldersOf(entries)
  const tableBytes = folders.reduce((sum, folder) => sum + pathTableEntryBytes(folder.name), 0)
  const tableSectors = sectorsOf(tableBytes)
  let sector = SYSTEM_SECTORS + 2 + 2 * tableSectors
  for (const folder of folders) {
    folder.sector = sector
    folder.bytes = folderBytes(folder, folder === folders[0] ? folders.slice(1) : [])
    sector += sectorsOf(folder.bytes)
  }
  for (const folder of folders) {
    for (const file of folder.files) {
      for (const extent of file.extents) {
        extent.sector = sector
        sector += sectorsOf(extent.bytes)
      }
    }
  }
  const heads = [
    Buffer.alloc(SYSTEM_SECTORS * SECTOR_BYTES),
    volumeDescriptor({ sectors: sector, tableBytes, tableSectors, root: folders[0] as Folder, modified }),
    terminator(),
    padded(Buffer.concat(folders.map((folder) => pathTableEntry(folder, true)))),
    padded(Buffer.concat(folders.map((folder) => pathTableEntry(folder, false)))),
    ...folders.map((folder) => folderSectors(folder, folders, modified)),
  ]
  return [{ kind: 'bytes', bytes: Buffer.concat(heads) }, ...folders.flatMap((folder) => folder.files.flatMap(partsOf))]
}

/** The root first, then its folders, all sorted as the standard wants them. */
function foldersOf(entries: readonly Pick<ZipEntry, 'name' | 'length' | 'parts'>[]): Folder[] {
  const byName = new Map<string, Folder>([['', { name: '', sector: 0, bytes: 0, files: [] }]])
  for (const entry of entries) {
    const slash = entry.name.indexOf('/')
    const folderName = slash < 0 ? '' : entry.name.slice(0, slash)
    const folder = byName.get(folderName) ?? { name: folderName, sector: 0, bytes: 0, files: [] }
    const plain = entry.name.slice(slash + 1).toUpperCase()
    const name = `${plain.includes('.') ? plain : `${plain}.`};1`
    folder.files.push({ name, extents: extentsOf(entry.length), entry })
    byName.set(folderName, folder)
  }
  const folders = [...byName.values()].sort(byNameOf)
  for (const folder of folders) folder.files.sort(byNameOf)
  return folders
}

function byNameOf(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}

function extentsOf(length: number): Extent[] {
  const count = Math.max(1, Math.ceil(length / MAX_EXTENT_BYTES))
  return Array.from({ length: count }, (_, index) => ({
    sector: 0,
    bytes: Math.min(MAX_EXTENT_BYTES, length - index * MAX_EXTENT_BYTES),
  }))
}

function partsOf({ entry }: File): Part[] {
  const rest = entry.length % SECTOR_BYTES
  return rest === 0 ? [...entry.parts] : [...entry.parts, { kind: 'bytes', bytes: Buffer.alloc(SECTOR_BYTES - rest) }]
}

/** Records of a folder, none across the end of a sector. */
function folderSectors(folder: Folder, folders: readonly Folder[], modified: Date): Buffer {
  const [root] = folders
  const isRoot = folder === root
  const children = isRoot ? folders.slice(1) : []
  const own = [
    record('\0', folder, IS_FOLDER, modified),
    record('\u0001', root as Folder, IS_FOLDER, modified),
    ...[
      ...children.map((child) => ({ name: child.name, records: [record(child.name, child, IS_FOLDER, modified)] })),
      ...folder.files.map(({ name, extents }) => ({
        name,
        records: extents.map((extent, index) =>
          record(name, extent, index < extents.length - 1 ? GOES_ON : 0, modified),
        ),
      })),
    ]
      .sort(byNameOf)
      .flatMap(({ records }) => records),
  ]
  return packed(own)
}

function folderBytes(folder: Folder, children: readonly Folder[]): number {
  const place = { sector: 0, bytes: 0 }
  const epoch = new Date(0)
  const records = [
    record('\0', place, IS_FOLDER, epoch),
    record('\u0001', place, IS_FOLDER, epoch),
    ...[...children.map(({ name }) => [name]), ...folder.files.map(({ name, extents }) => extents.map(() => name))]
      .sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
      .flat()
      .map((name) => record(name, place, 0, epoch)),
  ]
  return packed(records).length
}

function packed(records: readonly Buffer[]): Buffer {
  const pieces: Buffer[] = []
  let used = 0
  for (const one of records) {
    if (used + one.length > SECTOR_BYTES) {
      pieces.push(Buffer.alloc(SECTOR_BYTES - used))
      used = 0
    }
    pieces.push(one)
    used += one.length
  }
  return padded(Buffer.concat(pieces))
}

function record(name: string, { sector, bytes }: Extent, flags: number, modified: Date): Buffer {
  const id = Buffer.from(name, 'latin1')
  const record = Buffer.alloc(33 + id.length + ((id.length + 1) % 2))
  record[0] = record.length
  bothEnds32(record, 2, sector)
  bothEnds32(record, 10, bytes)
  record.set(
    [
      modified.getUTCFullYear() - 1900,
      modified.getUTCMonth() + 1,
      modified.getUTCDate(),
      modified.getUTCHours(),
      modified.getUTCMinutes(),
      modified.getUTCSeconds(),
      0,
      flags,
    ],
    18,
  )
  bothEnds16(record, 28, 1)
  record[32] = id.length
  id.copy(record, 33)
  return record
}

function pathTableEntryBytes(name: string): number {
  const length = Math.max(1, name.length)
  return 8 + length + (length % 2)
}

function pathTableEntry({ name, sector }: Folder, isLittle: boolean): Buffer {
  const entry = Buffer.alloc(pathTableEntryBytes(name))
  entry[0] = Math.max(1, name.length)
  if (isLittle) {
    entry.writeUInt32LE(sector, 2)
    entry.writeUInt16LE(1, 6)
  } else {
    entry.writeUInt32BE(sector, 2)
    entry.writeUInt16BE(1, 6)
  }
  entry.write(name, 8, 'latin1')
  return entry
}

type Volume = { sectors: number; tableBytes: number; tableSectors: number; root: Folder; modified: Date }

function volumeDescriptor({ sectors, tableBytes, tableSectors, root, modified }: Volume): Buffer {
  const volume = Buffer.alloc(SECTOR_BYTES)
  const table = SYSTEM_SECTORS + 2
  volume[0] = 1
  volume.write('CD001\u0001', 1, 'latin1')
  volume.write('HILUM'.padEnd(32), 40, 'latin1')
  volume.fill(' ', 8, 40)
  bothEnds32(volume, 80, sectors)
  bothEnds16(volume, 120, 1)
  bothEnds16(volume, 124, 1)
  bothEnds16(volume, 128, SECTOR_BYTES)
  bothEnds32(volume, 132, tableBytes)
  volume.writeUInt32LE(table, 140)
  volume.writeUInt32BE(table + tableSectors, 148)
  record('\0', root, IS_FOLDER, modified).copy(volume, 156)
  volume.fill(' ', 190, 813)
  const stamp = `${modified.toISOString().replace(/\D/g, '').slice(0, 14)}00\0`
  for (const at of [813, 830]) volume.write(stamp, at, 'latin1')
  for (const at of [847, 864]) volume.write(`${'0'.repeat(16)}\0`, at, 'latin1')
  volume[881] = 1
  return volume
}

function terminator(): Buffer {
  const end = Buffer.alloc(SECTOR_BYTES)
  end[0] = 255
  end.write('CD001\u0001', 1, 'latin1')
  return end
}

function bothEnds32(buffer: Buffer, at: number, value: number): void {
  buffer.writeUInt32LE(value, at)
  buffer.writeUInt32BE(value, at + 4)
}

function bothEnds16(buffer: Buffer, at: number, value: number): void {
  buffer.writeUInt16LE(value, at)
  buffer.writeUInt16BE(value, at + 2)
}

function sectorsOf(bytes: number): number {
  return Math.ceil(bytes / SECTOR_BYTES)
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(sectorsOf(bytes.length) * SECTOR_BYTES - bytes.length)])
}
