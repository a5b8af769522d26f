import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isCorpusMissing, readCorpusFile } from '@hilum/dicom/node/corpus'
import { afterAll, describe, expect, test } from 'vitest'
import { startStorage } from '../../../test/storage-fixture.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('Only root can mount a small disk: the disk-full test did NOT run\n')

describe.skipIf(!isRoot || isCorpusMissing)('a full disk', async () => {
  const storage = await startStorage()
  const objects = join(storage.folder, 'objects')
  mkdirSync(objects, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1200k', 'none', objects])
  afterAll(() => {
    execFileSync('umount', [objects])
  })

  test('is said in words, lists nothing, leaves nothing, and is over when there is room again', async () => {
    const member = await storage.addMember(['study_upload', 'study_view'])
    const send = async (name: string) => {
      const body = new Uint8Array(readCorpusFile(`studies/ct-head-phantom-visit1/series201/${name}.dcm`))
      const address = `${storage.base}/namespace/${member.namespace}/image?sid=${member.sid}`
      const reply = await fetch(address, { method: 'POST', body })
      return {
        status: reply.status,
        body: (await reply.json()) as { message?: string; kind?: { readable_status: string } },
      }
    }
    const countFiles = () =>
      readdirSync(objects, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length
    const countListed = async () =>
      (
        await storage.query<{ n: number }>(
          `select count(*)::integer as n from instance where storage_namespace = '${member.namespace}'`,
        )
      )[0]?.n
    const first = [await send('IM0001'), await send('IM0002')]
    expect(first.map((one) => one.status)).toEqual([202, 202])
    const full = await send('IM0003')
    expect(full).toMatchObject({
      status: 507,
      body: { message: 'The disk of the server is full', kind: { readable_status: 'STORE_OPERATION_FAILED' } },
    })
    expect([countFiles(), await countListed()]).toEqual([2, 2])
    execFileSync('mount', ['-o', 'remount,size=20m', objects])
    expect((await send('IM0003')).status).toBe(202)
    expect([countFiles(), await countListed()]).toEqual([3, 3])
  })
})
