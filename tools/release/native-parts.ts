import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { OtherPart } from './bill-of-materials.ts'

/** A library that PostgreSQL's package brings, and how its version is read: from its bytes, else from the file's name. */
interface KnownLibrary {
  files: RegExp
  name: string
  licence: string
  says?: RegExp
}

const known: readonly KnownLibrary[] = [
  { files: /^lib(crypto|ssl)\.so/, name: 'openssl', licence: 'OpenSSL', says: /OpenSSL (\d+\.\d+\.\d+[a-z]*)/ },
  { files: /^libicu\w+\.so/, name: 'icu', licence: 'ICU' },
  { files: /^libxml2\.so/, name: 'libxml2', licence: 'MIT', says: /\b2(0[6-9]\d{2}|1\d{3})\b/ },
  { files: /^libxslt\.so/, name: 'libxslt', licence: 'MIT' },
  { files: /^liblzma\.so/, name: 'liblzma', licence: 'Public domain', says: /\b(5\.\d+\.\d+)\b/ },
  { files: /^libz\.so/, name: 'zlib', licence: 'Zlib', says: /deflate (\d+\.\d+\.\d+)/ },
  {
    files: /^libossp-uuid\.so/,
    name: 'ossp-uuid',
    licence: 'OSSP uuid licence (as MIT)',
    says: /OSSP uuid (\d+\.\d+\.\d+)/,
  },
]
/** PostgreSQL's own, which have its version and its licence. */
const ofPostgres = /^lib(pq|ecpg|ecpg_compat|pgtypes)\./

/**
 * The libraries of others beside PostgreSQL's programs, one entry a file with its SHA-256.
 * @param folder `native/lib` of PostgreSQL's package
 * @throws Error for a library that nobody has named yet: what is inside a release is known
 */
export function listNativeParts(folder: string): OtherPart[] {
  const libraries = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.so(\.|$)/.test(entry.name) && !ofPostgres.test(entry.name),
  )
  return libraries.map(({ name: file }) => {
    const library = known.find((one) => one.files.test(file))
    if (!library)
      throw new Error(`${file} beside PostgreSQL has no licence yet: enter it in tools/release/native-parts.ts`)
    const bytes = readFileSync(path.join(folder, file))
    const version = versionOf(library, file, bytes)
    return {
      name: library.name,
      version,
      licence: library.licence,
      purl: `pkg:generic/${library.name}@${version}?file=${file}`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  })
}

function versionOf({ says, name }: KnownLibrary, file: string, bytes: Buffer): string {
  const said = says?.exec(bytes.toString('latin1'))
  // libxml2 writes 2.9.4 as 20904
  if (said && name === 'libxml2') {
    const digits = said[0]
    return [digits.slice(0, 1), digits.slice(1, 3), digits.slice(3)].map(Number).join('.')
  }
  return said?.[1] ?? /\.so\.([\d.]+)$/.exec(file)?.[1] ?? 'unknown'
}
