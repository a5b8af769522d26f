import { requestAssociation } from '@hilum/dicom/dimse/request-association'
import { getStudy, moveStudy, QueryClass } from '@hilum/dicom/dimse/query'
import { reply } from '@hilum/dicom/dimse/services'
import { type CorpusFile, isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { readDataSet } from '@hilum/dicom/read'
import { inflate } from '@hilum/dicom/node/inflate'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { concatBytes, writeMeta } from '@hilum/dicom/write-part10'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CorrectedStudy, faultsOfFile, scripts } from '../../../test/correction-doors.ts'
import { makeDestination } from '../../../test/make-destination.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startScriptedPeer } from '../../../test/scripted-peer.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { jobs } from '../../areas/jobs.ts'
import { aeTitleSetting, queryPeersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'
import { startRunner } from './run-work.ts'

/*
 * Images of a corrected study that leave over the network: pushed to a destination, fetched by C-GET, and sent on by
 * C-MOVE. The doors of the web stand in inbound/storage/every-correction.db.test.ts.
 */

const { services, call, query, app } = await startTestApp({ HILUM_DICOM_PORT: '0' })
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
const runner = await startRunner(services, jobs, { pollMs: 30 })
afterAll(() => runner.stop())
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const staff = await organisation.addPerson({ role: 'Staff', groups: [group] })
const pacs = await startScriptedPeer('PACS')
const destination = await makeDestination({ query }, organisation.accountUuid, { port: pacs.port, title: 'PACS' })
const title = 'CORRECTED'
await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, title)
await putSetting(services.db, 'namespace', group.namespaceUuid, queryPeersSetting, '[{"ae_title":"WS"}]')
const plain = [ExplicitLittleEndian, ImplicitLittleEndian]
const peer = { host: '127.0.0.1', port: listeners.port, calledTitle: title, callingTitle: 'WS' }

type Sent = { file: CorpusFile; uuid: string; turn: number }

/** An image of a study of its own for each transfer syntax and each character set, the smallest there is. */
function sample(): CorpusFile[] {
  const files = listCorpus().filter(
    ({ path, expected, transfer_syntax }) =>
      expected === 'accept' && transfer_syntax && !/^(media|malformed)\//.test(path),
  )
  const taken = new Map<string, CorpusFile>()
  const studies = new Set<string>()
  for (const file of files.toSorted((a, b) => Number(a.size) - Number(b.size))) {
    const kinds = [`text ${file.charset}`, `syntax ${file.transfer_syntax}`].filter((kind) => !taken.has(kind))
    if (kinds.length === 0 || studies.has(file.study_uid ?? '')) continue
    studies.add(file.study_uid ?? '')
    for (const kind of kinds) taken.set(kind, file)
  }
  return [...new Set(taken.values())]
}

const uploaded: Sent[] = []
async function upload(file: CorpusFile): Promise<void> {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/v3/storage/namespace/${group.namespaceUuid}/image?sid=${staff.sid}`,
    headers: { 'content-type': 'application/dicom' },
    payload: Buffer.from(readCorpusFile(file.path)),
  })
  expect([file.path, reply.statusCode]).toEqual([file.path, 202])
  const [record] = await query<{ uuid: string }>(`select uuid from study where study_uid = '${file.study_uid}'`)
  uploaded.push({ file, uuid: record?.uuid ?? '', turn: uploaded.length })
}

/** Corrects a study to one of the twelve scripts, another one with each round. */
async function correct({ file, uuid, turn }: Sent, round: number): Promise<CorrectedStudy> {
  const { name, mrn } = scripts[(turn + round * 5) % scripts.length] as (typeof scripts)[number]
  const edit = { patient_name: name, patientid: `${mrn}-${turn}` }
  const { body } = await call('study/set', { sid: staff.sid, uuid, ...edit })
  expect([file.path, body.status]).toEqual([file.path, 'OK'])
  const files = new Map([[file.sop_uid ?? '', readCorpusFile(file.path)]])
  return { studyUid: file.study_uid ?? '', files, name, mrn: edit.patientid, isMixed: false }
}

/** Faults of images that arrived at a peer: they have the new identity, and all else as it was unless it was decoded. */
function faultsOf(study: CorrectedStudy, file: CorpusFile, arrived: Uint8Array[], isStored: boolean): string[] {
  if (arrived.length !== 1) return [`${arrived.length} images arrived`]
  const stored = isStored ? readDataSet(readCorpusFile(file.path), { inflate }).dataSet : undefined
  return faultsOfFile(study, arrived[0] as Uint8Array, stored)
}

async function push({ uuid }: Sent): Promise<{ state: string; files: Uint8Array[] }> {
  pacs.stored.length = 0
  const { body } = await call('study/push', { sid: staff.sid, uuid, destination_id: destination.uuid })
  expect(body.status).toBe('OK')
  const state = async () =>
    (await query<{ status: string }>(`select status from push where uuid = '${body.uuid}'`))[0]?.status ?? ''
  await expect.poll(state, { timeout: 30_000 }).toMatch(/^[SF]$/)
  return { state: await state(), files: [...pacs.stored] }
}

async function get({ file }: Sent): Promise<Uint8Array[]> {
  const { sop_class: abstractSyntax = '', transfer_syntax = '' } = file
  const association = await requestAssociation(peer, [
    { abstractSyntax: QueryClass.StudyGet, transferSyntaxes: plain },
    { abstractSyntax, transferSyntaxes: [transfer_syntax], isScp: true },
  ])
  const files: Uint8Array[] = []
  await getStudy(
    association,
    file.study_uid ?? '',
    async (message) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of message.data ?? []) chunks.push(chunk)
      const { affectedSopClass = '', affectedSopInstance = '' } = message.command
      const meta = writeMeta(affectedSopClass, affectedSopInstance, message.context.transferSyntax)
      files.push(concatBytes([meta, ...chunks]))
      await reply(association, message, { status: 0 })
    },
    () => undefined,
  )
  await association.release()
  return files
}

async function move({ file, turn }: Sent): Promise<Uint8Array[]> {
  pacs.stored.length = 0
  const association = await requestAssociation(peer, [
    { abstractSyntax: QueryClass.StudyMove, transferSyntaxes: [ExplicitLittleEndian] },
  ])
  const asked = { studyUid: file.study_uid ?? '', destination: 'PACS', messageId: turn + 1 }
  await moveStudy(association, asked, () => undefined)
  await association.release()
  return [...pacs.stored]
}

describe.skipIf(isCorpusMissing)(
  'of every kind of file in the corpus leaves over the network',
  () => {
    beforeAll(async () => {
      for (const file of sample()) await upload(file)
    }, 120_000)

    const walk = async (
      round: number,
      syntaxes: readonly string[] | 'any',
      send: (one: Sent) => Promise<{ isRefused: boolean; files: Uint8Array[] }>,
    ) => {
      pacs.script = { syntaxes }
      const wrong: [string, string[]][] = []
      const refused: string[] = []
      for (const one of uploaded) {
        const study = await correct(one, round)
        const { isRefused, files } = await send(one)
        if (isRefused) refused.push(one.file.path)
        const faults = isRefused && files.length === 0 ? [] : faultsOf(study, one.file, files, syntaxes === 'any')
        if (faults.length > 0) wrong.push([one.file.path, faults])
      }
      expect(wrong).toEqual([])
      return refused
    }
    const pushed = async (one: Sent) => {
      const { state, files } = await push(one)
      return { isRefused: state === 'F', files }
    }

    test('its correction, pushed as it is stored', async () => {
      expect(await walk(0, 'any', pushed)).toEqual([])
    })

    test('its correction or nothing, pushed to a peer that takes no compressed images', async () => {
      const refused = await walk(1, plain, pushed)
      // a video has no pixels of its own, and bytes are not turned around on the way
      expect(refused.toSorted()).toEqual([
        'studies/video-endoscopy/mpeg2_clip.dcm',
        'transfer-syntaxes/1.2.2_big-endian_US-rgb.dcm',
      ])
    })

    test.each([
      ['fetched by C-GET', 2, get],
      ['sent on by C-MOVE', 3, move],
    ] as const)('its correction, %s', async (_way, round, send) => {
      expect(await walk(round, 'any', async (one) => ({ isRefused: false, files: await send(one) }))).toEqual([])
    })

    test('every script, by each way', () => {
      const used = (round: number) =>
        new Set(uploaded.map(({ turn }) => scripts[(turn + round * 5) % scripts.length]?.script))
      expect([0, 1, 2, 3].map((round) => used(round).size)).toEqual([12, 12, 12, 12])
      expect(new Set(uploaded.map(({ file }) => file.transfer_syntax)).size).toBeGreaterThan(15)
    })
  },
  240_000,
)
