import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readTakenNames } from './read-imports.ts'

const root = path.resolve(import.meta.dirname, '..')
const folders = ['contract/src', 'dicom/src', 'server/src', 'web/src', 'viewer/page/src']
/** Calls are named as the wire names them and imported by the list alone; migrations as migrations are. */
const excluded = /\.test\.tsx?$|\.call\.ts$|\/migrations\//
const exported = /^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm

/** @returns exported names, each with the files that export something under it */
function listExports(files: readonly string[], read: (file: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of files) {
    const names = new Set([...read(file).matchAll(exported)].map((match) => match[1] ?? ''))
    for (const name of names) found.set(name, [...(found.get(name) ?? []), file])
  }
  return found
}

const shared = (found: Map<string, string[]>) => [...found].filter(([, files]) => files.length > 1)

it('gives no two exported things one name', () => {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .filter((file) => !excluded.test(file))
  expect(files.length).toBeGreaterThan(500)
  const found = listExports(files, (file) => readFileSync(path.join(root, file), 'utf8'))
  expect(found.size).toBeGreaterThan(1000)
  expect(shared(found)).toEqual([])
})

/** Stands in the place of a package, and has what that one has. */
const inPlaceOfPackages = ['viewer/page/src/no-xml.ts']

it('exports nothing that no other file imports', () => {
  const everywhere = [...folders, 'server/test', 'viewer', 'e2e', 'bench', 'tools']
  const files = [
    ...new Set(everywhere.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }))),
  ].filter((file) => !file.includes('node_modules') && !file.includes('/dist/'))
  const taken = files.flatMap((file) => readTakenNames(root, file))
  const takenWhole = new Set(taken.flatMap(({ from, names }) => (names === 'all' ? [from] : [])))
  const takenNames = new Set(
    taken.flatMap(({ from, names }) => (names === 'all' ? [] : names.map((name) => `${from} ${name}`))),
  )
  const ours = files.filter(
    (file) =>
      /^\S+\/src\//.test(file) && !excluded.test(file) && !takenWhole.has(file) && !inPlaceOfPackages.includes(file),
  )
  expect(ours.length).toBeGreaterThan(1000)
  const needless = ours.flatMap((file) =>
    [...listExports([file], (one) => readFileSync(path.join(root, one), 'utf8')).keys()]
      .map((name) => `${file} ${name}`)
      .filter((one) => !takenNames.has(one)),
  )
  expect(needless).toEqual([])
  // all sources are parsed, which takes its time on a busy machine
}, 240_000)

it('sees two of one name', () => {
  const texts = { 'a.ts': 'export const one = 1\nexport type Two = 2\n', 'b.ts': 'export async function one() {}\n' }
  const found = listExports(Object.keys(texts), (file) => texts[file as keyof typeof texts])
  expect(shared(found)).toEqual([['one', ['a.ts', 'b.ts']]])
})
