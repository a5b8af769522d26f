import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

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

it('exports nothing that no other file names', () => {
  const everywhere = [...folders, 'server/test', 'viewer', 'e2e', 'bench', 'tools']
  const files = [...new Set(everywhere.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root })))]
    .filter((file) => !file.includes('node_modules'))
    .map((file) => ({ file, words: new Set(readFileSync(path.join(root, file), 'utf8').match(/[\w$]+/g)) }))
  const namedIn = new Map<string, number>()
  for (const { words } of files) for (const word of words) namedIn.set(word, (namedIn.get(word) ?? 0) + 1)
  const ours = files.map(({ file }) => file).filter((file) => /^\S+\/src\//.test(file) && !excluded.test(file))
  const found = listExports(ours, (file) => readFileSync(path.join(root, file), 'utf8'))
  expect([...found].filter(([name]) => (namedIn.get(name) ?? 0) < 2)).toEqual([])
})

it('sees two of one name', () => {
  const texts = { 'a.ts': 'export const one = 1\nexport type Two = 2\n', 'b.ts': 'export async function one() {}\n' }
  const found = listExports(Object.keys(texts), (file) => texts[file as keyof typeof texts])
  expect(shared(found)).toEqual([['one', ['a.ts', 'b.ts']]])
})
