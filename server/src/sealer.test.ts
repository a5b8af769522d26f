import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSealer } from './sealer.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hilum-key-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('opens what it sealed, also after a restart, and for the same owner only', async () => {
  const folder = await makeFolder()
  const [owner, secret] = [randomUUID(), 'https://x/reset-password/ä≠😀']
  const sealed = (await openSealer(folder)).seal(secret, owner)
  expect(sealed.toString('latin1')).not.toContain('reset')
  const again = await openSealer(folder)
  expect(again.open(sealed, owner)).toBe(secret)
  expect(again.open(sealed, randomUUID())).toBeUndefined()
  expect((await openSealer(await makeFolder())).open(sealed, owner)).toBeUndefined()
})

it('opens nothing that was changed or cut, wherever', async () => {
  const sealer = await openSealer(await makeFolder())
  const sealed = sealer.seal('secret', 'owner')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(sealer.open(changed, 'owner')).toBeUndefined()
    expect(sealer.open(sealed.subarray(0, at), 'owner')).toBeUndefined()
  }
})

it('keeps the key for its owner alone, and never replaces one that it cannot read', async () => {
  const folder = await makeFolder()
  await openSealer(folder)
  const path = join(folder, 'installation.key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, 'short')
  await expect(openSealer(folder)).rejects.toThrow('holds no key')
  expect(await readFile(path, 'utf8')).toBe('short')
})
