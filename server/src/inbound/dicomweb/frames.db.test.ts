import { readdir, readlink } from 'node:fs/promises'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { isCorpusMissing } from '@hilum/dicom/node/corpus'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, inParts, partsOf, startDicomweb } from '../../../test/dicomweb-fixture.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const explicit = '1.2.840.10008.1.2.1'
const octets = 'application/octet-stream'

let member: Member
const get = (path: string, accept?: string) =>
  server.ask(member, `${member.namespace}/${path}`, accept ? { headers: { accept } } : {})
const error = async (reply: Response) => ((await reply.json()) as { error: string }).error

/** The files below a folder that this process, and with it the server, holds open. */
async function openFilesUnder(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(folder))
}

describe.skipIf(isCorpusMissing)('retrieving frames [WADO-RS]', () => {
  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view'])
  })

  test.each([
    ['4.50_jpeg-baseline_SC-rgb', 'image/jpeg', 'ffd8'],
    ['4.70_jpeg-lossless-sv1_MR1', 'image/jpeg', 'ffd8'],
    ['4.80_jpeg-ls-lossless_CT1', 'image/jls', 'ffd8'],
    ['4.91_j2k-lossy_VL1', 'image/jp2', 'ff4f'],
    ['4.201_htj2k-lossless_US1', 'image/jphc', 'ff4f'],
    ['1.2.5_rle_US1', 'image/dicom-rle', '0300'],
  ])('%s leaves as %s, as bytes of its own syntax, and decoded', async (name, mediaType, opening) => {
    const file = await server.stored(member, name)
    const at = `${addressOf(file)}/frames/1`
    for (const [accept, contentType] of [
      [inParts(octets, '*'), `${octets}; transfer-syntax=${file.transfer_syntax}`],
      [inParts(octets, file.transfer_syntax), `${octets}; transfer-syntax=${file.transfer_syntax}`],
      [inParts(mediaType), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
      [inParts('image/*'), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
      [inParts(mediaType, file.transfer_syntax), `${mediaType}; transfer-syntax=${file.transfer_syntax}`],
    ]) {
      const [part, ...rest] = await partsOf(await get(at, accept))
      expect([accept, rest.length, part?.headers['content-type']]).toEqual([accept, 0, contentType])
      expect(part?.body.toString('hex', 0, 2)).toBe(opening)
    }
    for (const accept of [inParts(octets), inParts(octets, explicit), '*/*', undefined]) {
      const [part] = await partsOf(await get(at, accept))
      expect([accept, part?.headers['content-type']]).toEqual([accept, `${octets}; transfer-syntax=${explicit}`])
      const samples = part?.body.length ?? 0
      expect(samples % (Number(file.rows) * Number(file.columns))).toBe(0)
    }
    const bare = await get(at, mediaType)
    expect([bare.status, bare.headers.get('content-type')?.startsWith(mediaType)]).toEqual([200, true])
  })

  test('native frames are both stored and decoded; a wrong media type is refused in words', async () => {
    const file = await server.stored(member, '1.2_implicit-le_CT1')
    const at = `${addressOf(file)}/frames/1`
    const [any] = await partsOf(await get(at, inParts(octets, '*')))
    const [plain] = await partsOf(await get(at, inParts(octets)))
    expect([any?.headers['content-type'], any?.body.length]).toEqual([
      `${octets}; transfer-syntax=${explicit}`,
      512 * 512 * 2,
    ])
    expect(any?.body.equals(plain?.body ?? Buffer.alloc(0))).toBe(true)
    for (const accept of [
      inParts('image/jxl'),
      inParts('image/jls', '1.2.840.10008.1.2.4.81'),
      inParts(octets, '1.2.840.10008.1.2.4.91'),
      'text/html',
      'image/png',
    ]) {
      const refused = await get(at, accept)
      expect([accept, refused.status, await error(refused)]).toEqual([accept, 406, expect.stringContaining(octets)])
    }
  })

  test('a list of frames comes in its order, frames are counted from 1, and lists have a limit', async () => {
    const file = await server.stored(member, '4.50_jpeg-baseline_US-multiframe-ybr')
    const at = `${addressOf(file)}/frames`
    const list = await partsOf(await get(`${at}/3,1,2`, inParts(octets, '*')))
    const alone = await Promise.all(
      [3, 1, 2].map(async (frame) => (await partsOf(await get(`${at}/${frame}`, inParts(octets, '*'))))[0]?.body),
    )
    expect(list.map((part) => part.body.toString('base64'))).toEqual(alone.map((body) => body?.toString('base64')))
    const long = await partsOf(
      await get(`${at}/${Array.from({ length: 300 }, () => '1').join(',')}`, inParts(octets, '*')),
    )
    expect(long).toHaveLength(300)
    for (const [frames, status] of [
      ['0', 400],
      ['-1', 400],
      ['1,,2', 400],
      ['one', 400],
      ['1.5', 400],
      ['9'.repeat(300), 400],
      ['999999999', 404],
      [Array.from({ length: 1001 }, () => '1').join(','), 400],
      ['1/nothing', 404],
      ['1/rendered/more', 404],
    ] as const)
      expect([frames.slice(0, 20), (await get(`${at}/${frames}`)).status]).toEqual([frames.slice(0, 20), status])
  })

  test('clients that leave while frames are on their way leave no file open', async () => {
    const file = await server.stored(member, 'studies/us-stress-echo/')
    const address = `${server.origin}/dicomweb/${member.namespace}/${addressOf(file)}/frames/1,1,1,1,1,1,1,1`
    const headers = { authorization: `Bearer ${member.sid}`, accept: inParts(octets, '*') }
    const leave = () =>
      new Promise<void>((resolve, reject) => {
        const request = httpGet(address, { headers, agent: false }, (response) => {
          response.on('error', () => undefined)
          request.destroy()
          resolve()
        })
        request.on('error', reject)
      })
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 4 }, leave))
    // the garbage collection closes such a file at last, and the closing ends the process
    await expect.poll(() => openFilesUnder(join(server.folder, 'objects'))).toEqual([])
    expect((await get(`${addressOf(file)}/frames/1`)).status).toBe(200)
  })

  test('an object without pictures says so', async () => {
    const file = await server.stored(member, 'studies/ecg-waveform/')
    for (const what of ['frames/1', 'rendered']) {
      const reply = await get(`${addressOf(file)}/${what}`)
      expect([what, reply.status, (await error(reply)).length > 10]).toEqual([what, 406, true])
    }
  })
})
