import { randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { newUid } from '@hilum/dicom/uid'
import { expect, test, vi } from 'vitest'
import { startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'

const server = await startDicomweb()

/** The files below a folder that this process, and with it the server, holds open. */
async function openFilesUnder(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(folder))
}

test('a client that leaves in the middle of metadata leaves no file open, whatever it takes them in', async () => {
  const member = await server.addMember(['study_upload', 'study_view'])
  const studyUid = newUid()
  // so long that it is not read ahead to its end
  const text = { tag: 0x0040a160, vr: 'UT', value: randomBytes(4 * 1024 * 1024).toString('base64') }
  await uploadImage(server, member, madeImage({ studyUid, number: 1, more: [text] }))
  const dicomweb = `${server.origin}/dicomweb/${member.namespace}/studies/${studyUid}/metadata`
  const storage = `${server.base}/dicomweb/${member.namespace}/studies/${studyUid}/metadata`
  for (const address of [dicomweb, storage]) {
    for (const encoding of ['identity', 'gzip']) {
      const headers = { authorization: `Bearer ${member.sid}`, 'accept-encoding': encoding }
      await new Promise<void>((resolve, reject) => {
        httpGet(address, { headers }, (reply) => {
          expect(reply.statusCode).toBe(200)
          reply.once('data', () => reply.destroy()).once('close', resolve)
        }).once('error', reject)
      })
      await vi.waitFor(async () => expect(await openFilesUnder(server.folder)).toEqual([]), { timeout: 10_000 })
    }
  }
})
