import { DeflatedLittleEndian, ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { deflate } from '@hilum/dicom/node/inflate'
import { Status } from '@hilum/dicom/dimse/status'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { type WriteElement, writeMeta, writePart10 } from '@hilum/dicom/write-part10'
import { afterEach, expect, it } from 'vitest'
import { startDicomweb, valueOf, type Json } from '../../test/dicomweb-fixture.ts'
import { withoutCommits, withoutRoom } from '../../test/failing-services.ts'
import { madeImage } from '../../test/made-image.ts'
import { receiveObject } from '../areas/node/receive-object.command.ts'

const server = await startDicomweb()
const { services } = server
const { store, db } = services
const member = await server.addMember(['study_upload', 'study_view'])
afterEach(() => {
  Object.assign(services, { store, db })
})

const sopClass = '1.2.840.10008.5.1.4.1.1.7'

/** A data set of the usual names with bytes behind them, as it lies in a file and in a C-STORE. */
function makeSent(
  raw: Uint8Array,
  { without, syntax = ExplicitLittleEndian }: { without?: number; syntax?: string } = {},
) {
  const names: WriteElement[] = [
    { tag: Tag.SOPClassUID, vr: 'UI', value: sopClass },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
  ]
  const sopInstance = String(names[1]?.value)
  const kept = names.filter(({ tag }) => tag !== without)
  const metaBytes = writeMeta(sopClass, sopInstance, ExplicitLittleEndian).length
  const plain = Buffer.concat([writePart10(kept).subarray(without === Tag.SOPInstanceUID ? 0 : metaBytes), raw])
  const data = syntax === DeflatedLittleEndian ? deflate(plain) : plain
  const file = Buffer.concat([writeMeta(sopClass, sopInstance, syntax), data])
  return { sent: { sopClass, sopInstance, transferSyntax: syntax }, data, file }
}

function element(tag: string, vr: string, claimed: number): Buffer {
  const head = Buffer.from(`${tag}${Buffer.from(vr).toString('hex')}000000000000`, 'hex')
  head.writeUInt32LE(claimed, 8)
  return head
}

const megabyte = 1024 * 1024
const claim = (bytes: number, there: number) => Buffer.concat([element('09001010', 'UN', bytes), Buffer.alloc(there)])
const spoilt = {
  'an element cut short': makeSent(claim(1000, 10)),
  'a header larger than any that is read': makeSent(claim(100 * megabyte, 2 * megabyte)),
  'a header that inflates to more than is read': makeSent(claim(70 * megabyte, 70 * megabyte), {
    syntax: DeflatedLittleEndian,
  }),
  'noise instead of elements': makeSent(Buffer.alloc(5000, 0xab)),
  'no study': makeSent(Buffer.alloc(0), { without: Tag.StudyInstanceUID }),
  'no series': makeSent(Buffer.alloc(0), { without: Tag.SeriesInstanceUID }),
  'a deflated stream that is none': {
    ...makeSent(Buffer.alloc(0), { syntax: DeflatedLittleEndian }),
    data: Buffer.alloc(500, 0xff),
    file: Buffer.concat([writeMeta(sopClass, '1.2.3', DeflatedLittleEndian), Buffer.alloc(500, 0xff)]),
  },
}

async function upload(file: Uint8Array) {
  const url = `${server.base}/namespace/${member.namespace}/image?sid=${member.sid}`
  // without a length, as a proxy may send it on
  const body = new ReadableStream({ start: (sink) => (sink.enqueue(new Uint8Array(file)), sink.close()) })
  const reply = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  const { message } = (await reply.json()) as { message: string }
  return { status: reply.status, retry: reply.headers.get('retry-after'), message }
}

async function stow(file: Uint8Array) {
  const reply = await server.ask(member, `${member.namespace}/studies`, {
    method: 'POST',
    headers: { 'content-type': 'application/dicom' },
    body: new Uint8Array(file),
  })
  const json = (await reply.json()) as Json
  const [failed] = (json['00081198']?.Value ?? json['0008119A']?.Value ?? []) as Json[]
  const reason = valueOf(failed, '00081197')
  return { status: reply.status, retry: reply.headers.get('retry-after'), reason, message: valueOf(failed, '00000902') }
}

async function sendByDicom({ sent, data }: Pick<(typeof spoilt)['no study'], 'sent' | 'data'>) {
  const node = { namespaceUuid: member.namespace, accountUuid: member.account, allowedPeers: [] }
  async function* chunks() {
    yield new Uint8Array(data)
  }
  const received = await receiveObject(services, node as never, 'PEER', { ...sent, data: chunks() })
  return received.kind === 'failed' ? received : { status: Status.Success, reason: '' }
}

it.each(Object.entries(spoilt))('%s is refused for good at every door, with a reason', async (_, made) => {
  const posted = await upload(made.file)
  expect(posted).toEqual({
    status: expect.toBeOneOf([400, 412, 413]),
    retry: null,
    message: expect.stringMatching(/\w/),
  })
  expect(await stow(made.file)).toEqual({
    status: 409,
    retry: null,
    reason: 0xc000,
    message: expect.stringMatching(/\w/),
  })
  const { status, reason } = await sendByDicom(made)
  expect([status, reason]).toEqual([Status.CannotUnderstand, expect.stringMatching(/\w/)])
})

const passing = [
  ['a full disk', 507, 'ENOSPC'],
  ['a used up quota', 507, 'EDQUOT'],
  ['too many open files', 503, 'EMFILE'],
] as const

it.each(passing)('%s passes: every door says when to try again', async (_, httpStatus, code) => {
  Object.assign(services, { store: withoutRoom(store, code) })
  expect(await sendSound()).toEqual(passingAnswers(httpStatus))
})

it('a database that does not answer passes: every door says when to try again', async () => {
  Object.assign(services, { db: withoutCommits(db) })
  expect(await sendSound()).toEqual(passingAnswers(503))
})

/** The answers of upload, STOW and C-STORE to a sound file. */
async function sendSound() {
  const [one, other] = [newUid(), newUid()].map((studyUid) => Buffer.from(madeImage({ studyUid, number: 1 })))
  const { status, reason } = await sendByDicom(makeSent(Buffer.alloc(0)))
  return [await upload(one as Buffer), await stow(other as Buffer), { status, reason }]
}

function passingAnswers(httpStatus: number) {
  const retry = expect.stringMatching(/^\d+$/)
  const message = expect.stringMatching(/server/)
  return [
    { status: httpStatus, retry, message },
    { status: 503, retry, reason: 0xa700, message },
    { status: Status.OutOfResources, reason: message },
  ]
}
