import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '@hilum/contract/routes/all-routes'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** The first folder of every door: `/api`, `/dicomweb`, `/proviewer`, `/viewer` … */
const doors = [...new Set(Object.values(routes).map((one) => one.path.split('/')[1] ?? ''))].filter(
  (name) => name !== '',
)
const written = new RegExp(String.raw`['"\`}]/(?:${doors.join('|').replaceAll('.', String.raw`\.`)})(?=[/'"\`?])`)

/** A file without its comments and imports. */
function codeOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
}

it('pages write no address of the server: addresses come from the declarations of the contract', () => {
  const files = globSync(['web/src/**/*.{ts,tsx}', 'viewer/page/src/**/*.ts', 'viewer/src/viewer-base.ts'], {
    cwd: root,
  }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(doors).toEqual(expect.arrayContaining(['api', 'dicomweb', 'proviewer', 'viewer']))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => written.test(codeOf(file)))).toEqual([])
})

it('mails lead to screens that are there: the server writes none of their addresses by hand', () => {
  const ofDicomweb = /\/dicomweb\//
  const files = globSync('server/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !ofDicomweb.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const byHand = /\$\{[^{}]*(?:address|publicUrl)[^{}]*(?:\{[^{}]*\}[^{}]*)?\}\/[a-z$]/i
  expect('`${publicAddress(config, { host })}/outside`').toMatch(byHand)
  expect(files.filter((file) => byHand.test(codeOf(file)))).toEqual([])
})
