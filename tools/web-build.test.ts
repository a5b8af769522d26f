import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { webRoutes } from '../server/src/inbound/http/web-routes.ts'
import { takeWebBuild } from '../server/src/web-build.ts'

let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'hilum-checkout-'))
  for (const page of ['web', 'viewer/page']) mkdirSync(path.join(checkout, page), { recursive: true })
  writeFileSync(path.join(checkout, 'viewer/page/index.html'), '<!doctype html><title>Viewer</title>')
  writeFileSync(
    path.join(checkout, 'web/index.html'),
    '<!doctype html><title>App</title><script type="module" src="/main.js"></script>',
  )
  pull('first')
})
afterEach(() => rmSync(checkout, { recursive: true }))

/** Other sources come in. */
function pull(text: string): void {
  writeFileSync(path.join(checkout, 'web/main.js'), `document.title = ${JSON.stringify(text)}`)
}

/** In a process of its own, which has ended afterwards. @returns the folder of the build */
function build(): string {
  const module = path.join(import.meta.dirname, 'web-build.mjs')
  const code = `import { buildWeb } from ${JSON.stringify(module)}
    console.log(buildWeb(process.execPath, ${JSON.stringify(checkout)}))`
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(result.stderr)
  return result.stdout.trim()
}

/** A server that starts now. @returns what its page does, by the script that the page names */
async function startServer() {
  const app = fastify()
  await webRoutes(app, takeWebBuild(path.join(checkout, '.cache/web')).app)
  return async () => {
    const page = await app.inject('/')
    const script = /src="([^"]+)"/.exec(page.body)?.[1] ?? ''
    return (await app.inject(script)).body
  }
}

it('a server that runs goes on serving what it started with, however often others build', async () => {
  build()
  const earlier = await startServer()
  for (const text of ['second', 'third', 'fourth']) {
    pull(text)
    build()
    expect(await earlier()).toContain('first')
    const later = await startServer()
    expect(await later()).toContain(text)
  }
})

it('nothing is built when nothing has changed, nor when old sources come back whose build is still there', async () => {
  const first = build()
  const builtAt = statSync(path.join(first, 'app/index.html')).mtimeMs
  expect(build()).toBe(first)
  pull('second')
  expect(build()).not.toBe(first)
  pull('first')
  expect(build()).toBe(first)
  expect(statSync(path.join(first, 'app/index.html')).mtimeMs).toBe(builtAt)
  const server = await startServer()
  expect(await server()).toContain('first')
})

it('old builds go when nobody uses them: the one before stays until the next, for servers just starting', () => {
  const builds = [build()]
  for (const text of ['second', 'third']) {
    pull(text)
    builds.push(build())
  }
  expect(builds.map((folder) => existsSync(folder))).toEqual([false, true, true])
})

it('a build that fails leaves the one before in place', async () => {
  build()
  writeFileSync(path.join(checkout, 'web/main.js'), 'document.title = (')
  expect(build).toThrow('web could not be built')
  const server = await startServer()
  expect(await server()).toContain('first')
})

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('Only root can mount: the test of a read-only release did NOT run\n')

it.skipIf(!isRoot)('a build on a file system that is read alone, as in a container, is served', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hilum-read-only-'))
  execFileSync('mount', ['-t', 'tmpfs', 'none', folder])
  try {
    mkdirSync(path.join(folder, 'current'))
    execFileSync('mount', ['-o', 'remount,ro', folder])
    expect(takeWebBuild(folder).app).toBe(path.join(folder, 'current', 'app'))
  } finally {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  }
})
