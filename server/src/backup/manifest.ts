import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { isMissing } from './durable-files.ts'

const digest = { bytes: z.number(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }

/** Paths inside an export, which must not lead out of it. */
export const safePath = z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.-]+(\/[\w.-]+)*$/)

const schema = z.object({
  kind: z.literal('Hilum export'),
  /** Raised when an export is laid out differently: 2 where it builds on others. */
  format: z.literal([1, 2]),
  uuid: z.uuid(),
  /** The moment whose state it holds. */
  taken: z.string(),
  /** The steps that the database had taken. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), ...digest })),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.number(), isCalled: z.boolean() })),
  /** `bytes` and `sha256` are of the list of objects. */
  objects: z.object({ count: z.number(), totalBytes: z.number(), ...digest }),
  /** Exports before this one that hold objects of it, and how many; none: it stands by itself. */
  holders: z.optional(z.array(z.object({ uuid: z.uuid(), taken: z.string(), objects: z.number() }))),
  files: z.array(z.object({ path: safePath, ...digest })),
  /** Objects that the installation itself had lost or damaged. */
  faults: z.array(z.object({ kind: z.string(), what: z.string() })),
})

/** The contents of an export and their hashes. Written last: an export without a manifest is not whole. */
export type Manifest = z.infer<typeof schema>

/** Where the parts of an export lie. */
export const partsOf = (folder: string) => ({
  manifest: join(folder, 'export.json'),
  /** Lies there until the export is whole. */
  mark: join(folder, 'export-unfinished'),
  table: (name: string) => join(folder, 'tables', `${name}.copy`),
  /** One line for each object: key, bytes, SHA-256 and, where an earlier export holds it, that one's uuid, with tabs between. */
  objectList: join(folder, 'objects.tsv'),
  object: (key: string) => join(folder, 'objects', ...key.split('/')),
  file: (path: string) => join(folder, 'files', ...path.split('/')),
})

/** @throws BackupError in words when the folder holds no whole export of a layout that we know */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string
  try {
    text = await readFile(partsOf(folder).manifest, 'utf8')
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new BackupError(`${folder} holds no whole export: export.json is missing.`, { cause: error })
  }
  const manifest = parseJson(text)
  const format = z.object({ format: z.number() }).safeParse(manifest).data?.format
  if (format !== undefined && format > 2)
    throw new BackupError(`The export in ${folder} was made by a newer Hilum: import it with that one.`)
  const parsed = schema.safeParse(manifest)
  if (!parsed.success) throw new BackupError(`${partsOf(folder).manifest} is damaged or is not of an export.`)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
