import { request } from 'node:http'
import { DUPLICATE_COMMENT } from '@hilum/contract/arrival-texts'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { blankPreamble } from '@hilum/dicom/splice'
import { newUid } from '@hilum/dicom/uid'
import { describe, expect, test } from 'vitest'
import { type Json, multipartOf, partsOf, startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage } from '../../../test/made-image.ts'
import type { Member } from '../../../test/storage-fixture.ts'
import { storeSentInstances } from '../../areas/dicomweb/store-instances.command.ts'

const server = await startDicomweb()
const all = ['study_upload', 'study_view', 'study_download'] as const
const inOneStudy = (folder: string) =>
  listCorpus(folder).filter((file, _, list) => file.study_uid === list[0]?.study_uid)
const items = (json: Json, tag: string) => (json[tag]?.Value ?? []) as Json[]
const read = (file: CorpusFile) => readCorpusFile(file.path)

/** A store request with its own headers and body. */
async function post(
  member: { sid: string },
  path: string,
  type: string | undefined,
  body: Uint8Array | string,
  headers = {},
) {
  const reply = await server.ask(member, path, {
    method: 'POST',
    headers: { ...(type ? { 'content-type': type } : {}), ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: reply.status, json: (await reply.json()) as Json & { error?: string } }
}
const multipart = 'multipart/related; type="application/dicom"; boundary=x'

describe.skipIf(isCorpusMissing)('storing instances [STOW-RS]', () => {
  test('a study is stored, told with its addresses, and comes back byte for byte', async () => {
    const member = await server.addMember(all)
    const files = inOneStudy('studies/ct-with-sr-seg-pr-ko-pdf/')
    const { status, json } = await server.stow(member, files.map(read))
    expect([status, Object.keys(json)]).toEqual([200, ['00081190', '00081199']])
    expect(items(json, '00081199').map((one) => [valueOf(one, '00081150'), valueOf(one, '00081155')])).toEqual(
      files.map((file) => [file.sop_class, file.sop_uid]),
    )
    for (const [index, one] of items(json, '00081199').entries()) {
      const reply = await server.ask(member, String(valueOf(one, '00081190')).split('/dicomweb/')[1] ?? '', {
        headers: { accept: 'application/dicom; transfer-syntax=*' },
      })
      expect(Buffer.from(await reply.arrayBuffer()).equals(blankPreamble(read(files[index] as CorpusFile)))).toBe(true)
    }
    expect(await server.query(`select source, arrival from study where phi_namespace = '${member.namespace}'`)).toEqual(
      [{ source: 'upload', arrival: 'receiving' }],
    )
    const again = await server.stow(member, files.map(read))
    expect([again.status, items(again.json, '00081199').length]).toEqual([200, files.length])
    expect(
      await server.query(
        `select image_count, conflict_count from stored_study where storage_namespace = '${member.namespace}'`,
      ),
    ).toEqual([{ image_count: files.length, conflict_count: 0 }])
  })

  test('every file of the corpus is taken or refused as the manifest says, and none stops another', async () => {
    const member = await server.addMember(all)
    const files = listCorpus().filter((file) => !file.path.startsWith('studies/') && !file.path.startsWith('media/'))
    const wrong: unknown[] = []
    for (let at = 0; at < files.length; at += 25) {
      const some = files.slice(at, at + 25)
      const { status, json } = await server.stow(member, some.map(read))
      const stored = items(json, '00081199').length
      const failed = [...items(json, '00081198'), ...items(json, '0008119A')]
      const [accepted, either] = ['accept', 'either'].map(
        (expected) => some.filter((file) => file.expected === expected).length,
      ) as [number, number]
      if (stored + failed.length !== some.length || stored < accepted || stored > accepted + either)
        wrong.push([at, stored, accepted, either])
      if (failed.some((one) => typeof valueOf(one, '00081197') !== 'number' || !valueOf(one, '00000902')))
        wrong.push([at, failed])
      if (status !== (failed.length > 0 ? (stored > 0 ? 202 : 409) : status)) wrong.push([at, status])
    }
    expect(wrong).toEqual([])
  })

  test('a broken part between good ones fails alone, with its reason', async () => {
    const member = await server.addMember(all)
    const [one, two] = inOneStudy('studies/us-stress-echo/') as [CorpusFile, CorpusFile]
    const cut = read(two).subarray(0, read(two).length - 1000)
    const { status, json } = await server.stow(member, [read(one), Buffer.from('no image'), cut, read(two)])
    expect(status).toBe(202)
    expect(items(json, '00081199').map((item) => valueOf(item, '00081155'))).toEqual([one.sop_uid, two.sop_uid])
    expect(items(json, '00081198').map((item) => [valueOf(item, '00081155'), valueOf(item, '00081197')])).toEqual([
      [two.sop_uid, 0xc000],
    ])
    expect(items(json, '0008119A').map((item) => valueOf(item, '00081197'))).toEqual([0xc000])
    const nothing = await server.stow(member, [Buffer.from('no image')])
    expect(nothing.status).toBe(409)
  })

  test('an instance of another study than the address names is refused and named; its siblings are stored', async () => {
    const member = await server.addMember(all)
    const [own] = inOneStudy('studies/dx-small/') as [CorpusFile]
    const [other] = inOneStudy('studies/cr-hip/') as [CorpusFile]
    const mixed = await server.stow(member, [read(other), read(own)], own.study_uid)
    expect([mixed.status, items(mixed.json, '00081199').length]).toEqual([202, 1])
    expect(items(mixed.json, '00081198').map((one) => [valueOf(one, '00081155'), valueOf(one, '00081197')])).toEqual([
      [other.sop_uid, 0xa900],
    ])
    const alone = await server.stow(member, [read(other)], own.study_uid)
    expect([alone.status, items(alone.json, '00081198').length]).toEqual([409, 1])
    expect((await server.list(member, `${member.namespace}/studies`)).length).toBe(1)
  })

  test('other bytes under the same name are kept beside the first, with a warning', async () => {
    const member = await server.addMember(all)
    const bodies = [1, 2].map((number) => readCorpusFile(`malformed/collisions/duplicate-conflict-${number}.dcm`))
    await server.stow(member, bodies.slice(0, 1))
    const { status, json } = await server.stow(member, bodies.slice(1))
    expect([status, items(json, '00081199').map((one) => valueOf(one, '00081196'))]).toEqual([202, [0xb000]])
  })

  test('what was there before is told beside what came, without a warning', async () => {
    const member = await server.addMember(all)
    const [first, ...rest] = inOneStudy('studies/ct-with-sr-seg-pr-ko-pdf/').slice(0, 3).map(read) as [
      Buffer,
      ...Buffer[],
    ]
    await server.stow(member, [first])
    const { status, json } = await server.stow(member, [first, ...rest])
    const told = items(json, '00081199').map((one) => [valueOf(one, '00000902'), valueOf(one, '00081196')])
    expect([status, told]).toEqual([200, [[DUPLICATE_COMMENT, undefined], ...rest.map(() => [undefined, undefined])]])
  })

  test('one instance alone is taken as application/dicom', async () => {
    const member = await server.addMember(all)
    const [file] = inOneStudy('studies/dx-small/') as [CorpusFile]
    const { status, json } = await post(member, `${member.namespace}/studies`, 'application/dicom', read(file))
    expect([status, items(json, '00081199').length]).toEqual([200, 1])
  })

  test.each(['x', '"a quoted; boundary, =?"', '"abc\\"def"'])('reads a boundary written as %s', async (written) => {
    const member = await server.addMember(all)
    const [file] = inOneStudy('studies/dx-small/') as [CorpusFile]
    const boundary = written.replace(/^"(.*)"$/, '$1').replaceAll('\\"', '"')
    for (const type of [
      `multipart/related; type="application/dicom"; boundary=${written}`,
      `Multipart/Related;boundary=${written};type=application/dicom;charset=utf-8`,
    ])
      expect([
        type,
        (await post(member, `${member.namespace}/studies`, type, multipartOf([read(file)], boundary))).status,
      ]).toEqual([type, 200])
  })

  test('two requests with the same instances at once store them once', async () => {
    const member = await server.addMember(all)
    const files = inOneStudy('studies/us-stress-echo/').slice(0, 6)
    const answers = await Promise.all([server.stow(member, files.map(read)), server.stow(member, files.map(read))])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(
      await server.query(
        `select image_count, conflict_count from stored_study where storage_namespace = '${member.namespace}'`,
      ),
    ).toEqual([{ image_count: files.length, conflict_count: 0 }])
  })

  test('a body that ends early keeps what came whole', async () => {
    const member = await server.addMember(all)
    const [one, two] = inOneStudy('studies/us-stress-echo/') as [CorpusFile, CorpusFile]
    const body = multipartOf([read(one), read(two)], 'x')
    const { status, json } = await post(
      member,
      `${member.namespace}/studies`,
      multipart,
      body.subarray(0, body.length - 5000),
    )
    expect([status, items(json, '00081199').map((item) => valueOf(item, '00081155'))]).toEqual([202, [one.sop_uid]])
    expect([...items(json, '00081198'), ...items(json, '0008119A')].map((item) => valueOf(item, '00081197'))).toEqual([
      0xc000,
    ])
  })

  test('a connection that ends in the middle lists only what came whole', async () => {
    const member = await server.addMember(all)
    const [one, two] = inOneStudy('studies/us-stress-echo/') as [CorpusFile, CorpusFile]
    const body = multipartOf([read(one), read(two)], 'x')
    await new Promise<void>((resolve) => {
      const sending = request(`${server.origin}/dicomweb/${member.namespace}/studies`, {
        method: 'POST',
        headers: { authorization: `Bearer ${member.sid}`, 'content-type': multipart, 'content-length': body.length },
      })
      sending.on('error', () => resolve())
      sending.on('close', () => resolve())
      sending.write(body.subarray(0, body.length - 5000), () => sending.destroy())
    })
    const list = async () =>
      (
        await server.query<{ sop_uid: string }>(
          `select sop_uid from instance where storage_namespace = '${member.namespace}'`,
        )
      ).map((row) => row.sop_uid)
    await expect.poll(list).toEqual([one.sop_uid])
  })
})

describe('refusing to store', () => {
  test('an instance that was written before it is refused is named all the same', async () => {
    const member = await server.addMember(['study_upload', 'study_view'])
    const studyUid = newUid()
    // more than is held in memory, so that its bytes are given up as they are written
    const image = madeImage({ studyUid, number: 7, frames: 8192 })
    async function* body() {
      for (let at = 0; at < image.length; at += 131_072) yield Uint8Array.from(image.subarray(at, at + 131_072))
    }
    async function* parts() {
      yield { body: body(), release: () => undefined }
    }
    const [group] = await server.query<{ account_uuid: string }>(
      `select account_uuid from namespace where uuid = '${member.namespace}'`,
    )
    const arrival = {
      namespaceUuid: member.namespace,
      accountUuid: group?.account_uuid ?? '',
      source: 'upload' as const,
      quietSeconds: 30,
      ownsBody: true,
      expectedStudyUid: newUid(),
    }
    const [refused] = await storeSentInstances(server.services, arrival, parts())
    expect(refused).toMatchObject({ kind: 'failed', failureReason: 0xa900, sopUid: `${studyUid}.1.7` })
  })

  async function refused(member: Member, type: string | undefined, body: string, headers = {}) {
    const { status, json } = await post(member, `${member.namespace}/studies`, type, body, headers)
    return [status, typeof json.error === 'string' && json.error.length > 10]
  }

  test('what is no body of instances is refused in words', async () => {
    const member = await server.addMember(all)
    for (const [type, body, status, headers] of [
      [undefined, '', 415],
      ['text/plain', 'x', 415],
      ['multipart/form-data; boundary=x', '--x--', 415],
      ['multipart/related; type="application/dicom+json"; boundary=x', '--x--', 415],
      ['multipart/related; type="application/dicom"', '--x--', 400],
      [`multipart/related; type="application/dicom"; boundary=${'b'.repeat(300)}`, '--x--', 400],
      [multipart, '--x--\r\n', 400],
      [multipart, 'no boundary at all', 400],
      [multipart, 'p'.repeat(200_000), 400],
      [multipart, `--x\r\nA: ${'h'.repeat(100_000)}\r\n\r\n\r\n--x--`, 400],
      [multipart, '--x--\r\n', 415, { 'content-encoding': 'gzip' }],
      [multipart, '--x--\r\n', 406, { accept: 'application/dicom+xml' }],
    ] as const)
      expect([type, body.slice(0, 20), ...(await refused(member, type, body, headers))]).toEqual([
        type,
        body.slice(0, 20),
        status,
        true,
      ])
  })

  test('ten thousand and one empty parts end at the limit, each with its reason', async () => {
    const member = await server.addMember(all)
    const body = `${'--x\r\n\r\n\r\n'.repeat(10_050)}--x--`
    const { status, json } = await post(member, `${member.namespace}/studies`, multipart, body)
    expect([status, items(json, '0008119A').length]).toEqual([409, 10_001])
    expect(valueOf(items(json, '0008119A').at(-1), '00081197')).toBe(0xc000)
  })

  test('nobody stores without a session, the permission, or a namespace of his own', async () => {
    const member = await server.addMember(all)
    const other = await server.addMember(all)
    const viewer = await server.addMember(['study_view'])
    const status = async (who: { sid: string }, path: string) => (await post(who, path, multipart, '--x--')).status
    expect(await status({ sid: 'none' }, `${member.namespace}/studies`)).toBe(401)
    expect(await status(other, `${member.namespace}/studies`)).toBe(404)
    expect(await status(viewer, `${viewer.namespace}/studies`)).toBe(403)
    expect(await status(member, 'all/studies')).toBe(405)
    expect(await status(member, `${member.namespace}/studies/..%2F..%2Fx`)).toBe(400)
    expect(await status(await server.derive(member, []), `${member.namespace}/studies`)).toBe(403)
    const cookie = await fetch(`${server.origin}/dicomweb/${member.namespace}/studies`, {
      method: 'POST',
      headers: { cookie: `hilum_sid=${member.sid}`, 'content-type': multipart },
      body: '--x--',
    })
    expect(cookie.status).toBe(401)
  })
})

describe('capabilities', () => {
  test('are told as WADL by GET and OPTIONS, to members only', async () => {
    const [member, other] = [await server.addMember(all), await server.addMember(all)]
    for (const method of ['GET', 'OPTIONS'])
      for (const path of [member.namespace, `${member.namespace}/`, 'all/']) {
        const reply = await server.ask(member, path, { method })
        expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
          path,
          200,
          'application/vnd.sun.wadl+xml',
        ])
        expect(await reply.text()).toContain('<resource path="studies"><method name="GET" id="SearchForStudies">')
      }
    expect((await server.ask(other, `${member.namespace}/`)).status).toBe(404)
    expect((await server.ask(member, `${member.namespace}/`, { headers: { accept: 'text/html' } })).status).toBe(406)
  })
})

test.skipIf(isCorpusMissing)('what was stored by parts is searched and retrieved like what was uploaded', async () => {
  const member = await server.addMember(all)
  const files = inOneStudy('studies/mr-multiseries-stc/').slice(0, 5)
  await server.stow(member, files.map(read), files[0]?.study_uid)
  const found = await server.list(member, `${member.namespace}/studies/${files[0]?.study_uid}/instances`)
  expect(found.map((one) => valueOf(one, '00080018')).sort()).toEqual(files.map((file) => file.sop_uid).sort())
  const parts = await partsOf(await server.ask(member, `${member.namespace}/studies/${files[0]?.study_uid}`))
  expect(parts).toHaveLength(files.length)
})

test('a study may pause longer where a person’s session sends it than where a program’s key does', async () => {
  const program = await server.addMember(all)
  await server.query(
    `update session set method = 'key', scope = '{study_view,study_upload}' where user_uuid = '${program.user}'`,
  )
  const pauseOf = async (member: Member) => {
    expect((await server.stow(member, [madeImage({ studyUid: newUid(), number: 1 })])).status).toBe(200)
    const [row] = await server.query<{ seconds: string }>(
      `select extract(epoch from complete_at - updated) as seconds from study where phi_namespace = '${member.namespace}'`,
    )
    return Math.round(Number(row?.seconds))
  }
  expect([await pauseOf(program), await pauseOf(await server.addMember(all))]).toEqual([30, 90])
})
