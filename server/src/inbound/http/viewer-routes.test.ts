import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { type ViewerPlace, viewerRoutes } from './viewer-routes.ts'

const scripted = '/viewer/app.bundle.0123456789abcdef.js'

async function serve(place: ViewerPlace) {
  const app = fastify()
  await viewerRoutes(app, place, 'nowhere')
  onTestFinished(() => app.close())
  return async (url: string) => (await app.inject({ url })).statusCode
}

it('serves the full viewer as soon as another process has prepared it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-viewer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const expected = join(folder, 'ohif')
  const ask = await serve({ folder: undefined, expected })
  expect([await ask(scripted), await ask('/viewer/ahead.json')]).toEqual([503, 200])
  await mkdir(expected)
  await writeFile(join(expected, 'app.bundle.0123456789abcdef.js'), '')
  expect(await ask(scripted)).toBe(503)
  await writeFile(join(expected, 'index.html'), '')
  expect(await ask(scripted)).toBe(200)
})

it('says that the full viewer is not ready where nobody says where it will be', async () => {
  const ask = await serve({ folder: undefined })
  expect([await ask(scripted), await ask('/viewer/ahead.json')]).toEqual([503, 200])
})
