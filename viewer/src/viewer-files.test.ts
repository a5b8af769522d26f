import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ohifRelease } from './ohif-release.ts'
import { findProviewerFile, findViewerFile } from './viewer-files.ts'

const HASHED = 'app.bundle.0123456789abcdef.js'
let outside: string
let dir: string

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'hilum-files-'))
  dir = join(outside, 'viewer')
  await mkdir(join(dir, 'assets'), { recursive: true })
  await writeFile(join(outside, 'secret.js'), 'secret')
  for (const name of [
    'index.html',
    HASHED,
    `${HASHED}.gz`,
    'app.bundle.css',
    ohifRelease.decodeWorker,
    'assets/index-C2_SRBZ1.js',
  ]) {
    await writeFile(join(dir, name), name)
  }
})
afterAll(() => rm(outside, { recursive: true, force: true }))

describe('files of the full viewer', () => {
  it('answers its start page for its own addresses, asked again each time', async () => {
    for (const address of ['/viewer', '/viewer/', '/viewer/viewer']) {
      const found = await findViewerFile(dir, address, 'gzip')
      expect(found?.path).toBe(join(dir, 'index.html'))
      expect(found?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    }
  })

  it('sends packed bytes to who takes them, and keeps what is named by its content for good', async () => {
    const packed = await findViewerFile(dir, `/viewer/${HASHED}`, 'br, gzip')
    expect(packed?.path).toBe(join(dir, `${HASHED}.gz`))
    expect(packed?.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const plain = await findViewerFile(dir, `/viewer/${HASHED}`, 'gzip;q=0')
    expect(plain?.path).toBe(join(dir, HASHED))
    expect(plain?.headers['content-encoding']).toBeUndefined()
    expect(plain?.headers['etag']).not.toBe(packed?.headers['etag'])
    expect((await findViewerFile(dir, '/viewer/app.bundle.css'))?.headers['cache-control']).toBe('no-cache')
  })

  it('forbids inline script and eval, but in the one worker that decodes', async () => {
    const page = await findViewerFile(dir, '/viewer/')
    expect(page?.headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';")
    const worker = await findViewerFile(dir, `/viewer/${ohifRelease.decodeWorker}`)
    expect(worker?.headers['content-security-policy']).toContain("'unsafe-eval'")
    expect(page?.headers['x-content-type-options']).toBe('nosniff')
  })

  it.each([
    '/viewer/../secret.js',
    '/viewer/%2e%2e/secret.js',
    '/viewer/..%2fsecret.js',
    '/viewer/..%5csecret.js',
    '/viewer//etc/passwd.js',
    '/viewer/%2fetc%2fpasswd.js',
    '/viewer/a%00.js',
    '/viewer/%zz.js',
    '/viewer/missing.js',
    '/viewer/assets.js',
    `/viewer/${HASHED}.gz`,
    '/viewers/index.html',
  ])('finds nothing for %s, outside its folder or not there', async (address) => {
    expect(await findViewerFile(dir, address, 'gzip')).toBeUndefined()
  })
})

describe('files of the page around the viewers', () => {
  it('keeps its start page nowhere, as its address carries a sid, and allows no inline script or style', async () => {
    const page = await findProviewerFile(dir, '/proviewer/')
    expect(page?.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const policy = page?.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval';/)
    expect(policy).toMatch(/style-src 'self';/)
    const script = await findProviewerFile(dir, '/proviewer/assets/index-C2_SRBZ1.js')
    expect(script?.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })
})
