import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTarball } from '../test/make-tar.ts'
import { checkIntegrity } from './fetch-package.ts'
import { ohifRelease } from './ohif-release.ts'
import { scriptPassages } from './ohif-texts.ts'
import { prepareViewerApart } from './prepare-apart.ts'
import { prepareViewer } from './prepare-viewer.ts'

const bundle = (n: number) => `package/dist/${n}.bundle.0123456789abcdef.js`
const bundleText =
  '(() => { /* a comment */ __webpack_require__.p = "/"; const longName = 1; console.log(longName) })()'

/** Every passage that the patches put otherwise, two of them as code. */
const passages = `/* ${scriptPassages.map(({ theirs }) => theirs).join('\n')} */
globalThis.range = (windowWidth, windowCenter) => { throw new Error('Invalid VOI LUT function') }
var wadors_loadImage = globalThis.load; (0, globalThis.registerImageLoader)('wadors', wadors_loadImage)`

/** The shape of the real package: eight bundles that carry the root's address, one style sheet, a decoding worker. */
const packageFiles: Record<string, string> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [bundle(n), bundleText])),
  [`package/dist/${ohifRelease.decodeWorker}`]: bundleText,
  'package/dist/app.bundle.0123456789abcdef.js': `${bundleText}\n${passages}\n${'console.log("padding");'.repeat(100)}`,
  'package/dist/app.bundle.css': '@font-face{src:url(/a.woff2)}.a{color:rgb(52 140 253/1)}',
  'package/dist/index.html': '<script>alert(1)</script>',
  'package/dist/app-config.js': 'window.config = {}',
  'package/dist/sw.js': 'self.x = 1',
  'package/dist/app.bundle.0123456789abcdef.js.map': '{}',
  'package/dist/ort/model.wasm': 'model',
  'package/README.md': 'readme',
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hilum-viewer-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function prepare(files: Record<string, string>) {
  const tarball = join(folder, 'package.tgz')
  await writeFile(tarball, makeTarball(files))
  return prepareViewer({ cacheDir: join(folder, 'cache'), tarball })
}

describe('preparing the full viewer', () => {
  it('moves scripts and styles to /viewer/, makes them small and packs them beforehand', async () => {
    const { dir, version } = await prepare(packageFiles)
    expect(version).toMatch(/^ohif-3\.13\.2-[0-9a-f]{12}$/)
    const script = await readFile(join(dir, '1.bundle.0123456789abcdef.js'), 'utf8')
    expect(script).toMatch(/__webpack_require__\.p=["'`]\/viewer\/["'`]/)
    expect(script).not.toContain('comment')
    expect(await readFile(join(dir, 'app.bundle.css'), 'utf8')).toBe(
      '@font-face{src:url(/viewer/a.woff2)}.a{color:rgb(75 166 196/1)}',
    )
    const app = join(dir, 'app.bundle.0123456789abcdef.js')
    expect(gunzipSync(await readFile(`${app}.gz`))).toEqual(await readFile(app))
    const appText = await readFile(app, 'utf8')
    expect(appText).not.toContain('Invalid VOI LUT function')
    expect(appText).not.toContain('Invalid date')
    expect(appText).toContain('window.hilumLoader')
  })

  it('leaves out maps, models, service worker, and puts our own start page without inline script', async () => {
    const { dir } = await prepare(packageFiles)
    const names = await readdir(dir)
    expect(names.filter((name) => /\.map$|^ort$|^sw\.js/.test(name))).toEqual([])
    const page = await readFile(join(dir, 'index.html'), 'utf8')
    expect(page).toContain('src="/viewer/app.bundle.0123456789abcdef.js"')
    expect(page).not.toMatch(/<script(?![^>]* src=)/)
    expect(await readFile(join(dir, 'app-config.js'), 'utf8')).toContain('close-viewer')
    const worker = ohifRelease.decodeWorker
    expect(JSON.parse(await readFile(join(dir, 'ahead.json'), 'utf8'))).toEqual([
      '/viewer/app.bundle.0123456789abcdef.js',
      `/viewer/${worker}`,
    ])
    expect(page).not.toContain(worker)
    expect(await readFile(join(dir, 'hilum.css'), 'utf8')).toContain('--primary: 195 51% 53%')
  })

  it('finds what was prepared before, and two at once agree', async () => {
    const [first, second] = await Promise.all([prepare(packageFiles), prepare(packageFiles)])
    expect(first).toEqual(second)
    const again = await prepareViewer({ cacheDir: join(folder, 'cache'), tarball: join(folder, 'not-there.tgz') })
    expect(again).toEqual(first)
    expect(await readdir(join(folder, 'cache'))).toEqual([first.version])
  })

  it('is prepared by a process of its own, whose memory ends with it', async () => {
    const tarball = join(folder, 'package.tgz')
    await writeFile(tarball, makeTarball(packageFiles))
    const cacheDir = join(folder, 'cache with blanks')
    const named: string[] = []
    const onNamed = (one: string) => named.push(one)
    const { dir } = await prepareViewerApart({ cacheDir, tarball, onNamed })
    expect(named).toEqual([dir])
    expect(await prepareViewer({ cacheDir })).toMatchObject({ dir })
    expect(await readFile(join(dir, 'index.html'), 'utf8')).toContain('src="/viewer/app.bundle.0123456789abcdef.js"')
    await writeFile(tarball, 'not gzip')
    // named before it is known whether it will be there
    await expect(prepareViewerApart({ cacheDir: join(folder, 'other'), tarball, onNamed })).rejects.toThrow(
      'The full viewer is not ready: incorrect header check',
    )
    expect(named[1]).toBe(join(folder, 'other', basename(dir)))
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(prepareViewerApart({ cacheDir: join(folder, 'other'), tarball, signal: stopped })).rejects.toThrow(
      'aborted',
    )
  })

  it('refuses a package that is not what the patches know, and leaves nothing behind', async () => {
    const { [bundle(1)]: _left, ...others } = packageFiles
    await expect(prepare(others)).rejects.toThrow('not the one our patches know')
    expect(await readdir(join(folder, 'cache'))).toEqual([])
  })

  it('refuses bytes that are not a package, and stops when told', async () => {
    const tarball = join(folder, 'junk.tgz')
    await writeFile(tarball, 'not gzip')
    await expect(prepareViewer({ cacheDir: join(folder, 'cache'), tarball })).rejects.toThrow('incorrect header check')
    await writeFile(tarball, makeTarball(packageFiles))
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(prepareViewer({ cacheDir: join(folder, 'cache'), tarball, signal: stopped })).rejects.toThrow(
      'stopped',
    )
    expect(await readdir(join(folder, 'cache'))).toEqual([])
  })

  it('removes at once what killed processes left, and after a month what nothing was started with', async () => {
    const cache = join(folder, 'cache')
    const { version } = await prepare(packageFiles)
    const gone = spawnSync(process.execPath, ['--version'])
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
    const left = `.preparing-${machine}-${gone.pid}-abcdef`
    const kept = [
      `.preparing-${machine}-${process.pid}-abcdef`,
      `.preparing-0123abcd-${gone.pid}-abcdef`,
      'ohif-3.0.0-00000000000a',
      'something-else',
    ]
    const old = 'ohif-3.0.0-00000000000b'
    for (const name of [left, ...kept, old]) await mkdir(join(cache, name))
    const longAgo = new Date(Date.now() - 40 * 86_400_000)
    for (const name of [old, version, 'something-else']) await utimes(join(cache, name), longAgo, longAgo)
    await prepare(packageFiles)
    expect((await readdir(cache)).toSorted()).toEqual([...kept, version].toSorted())
    // a folder in use is not old
    expect((await stat(join(cache, version))).mtimeMs).toBeGreaterThan(longAgo.getTime() + 86_400_000)
  })

  it('refuses a download whose hash is not the pinned one', async () => {
    const path = join(folder, 'a.tgz')
    await writeFile(path, 'other bytes')
    await expect(checkIntegrity(path, ohifRelease.integrity)).rejects.toThrow('not the one we pinned')
  })
})
