import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { exportedSource, objectsOf } from '../../test/export-fixture.ts'
import { rehearse } from '../cli/rehearse.ts'
import { partsOf } from './manifest.ts'

const { place } = await exportedSource()
const scratch = await mkdtemp(join(tmpdir(), 'hilum-scratch-'))
// as root, PostgreSQL runs as another user
await chmod(scratch, 0o755)
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** The command with its exit code and its words. */
async function hilum(...args: string[]): Promise<{ code: number; said: string }> {
  vi.stubEnv('HILUM_DATA', place('not-there/data'))
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
  try {
    return { code: await rehearse(args), said: said.join('') }
  } finally {
    write.mockRestore()
    vi.unstubAllEnvs()
  }
}

it('restores an export into a scratch folder, reads all of it, reports and removes it', async () => {
  const { code, said } = await hilum(place('whole'), '--in', scratch)
  expect(said).toContain('This export can be restored whole.')
  expect(said).toMatch(/Restored and removed again in \d+ s: the state of .+, \d+ rows, [1-9]\d* objects/)
  expect(code).toBe(0)
  expect(await readdir(scratch)).toEqual([])
})

it('refuses a damaged export in words, and leaves nothing behind', async () => {
  const [key = ''] = await objectsOf(place('whole'))
  const object = partsOf(place('whole')).object(key)
  await rm(object)
  await writeFile(object, 'other bytes')
  await expect(hilum(place('whole'), '--in', scratch)).rejects.toThrow(
    /not what was exported|missing or changed|damaged/,
  )
  expect(await readdir(scratch)).toEqual([])
  await expect(hilum(join(place('whole'), 'tables'), '--in', scratch)).rejects.toThrow('holds no whole export')
  await expect(hilum('relative')).rejects.toThrow('as absolute paths')
})
