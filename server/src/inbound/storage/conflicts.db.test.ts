import { rewritten, type Writing } from '@hilum/dicom/synthetic/rewritten'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { expect, it } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation

const writing: Writing = {
  syntax: 'implicit',
  hasUndefinedLengths: true,
  hasGroupLengths: true,
  hasTrailingPadding: false,
  hasOtherMeta: true,
  hasCutFragments: false,
  hasMoreBlanks: false,
}

it('says in what images of one name differ, lets an editor choose the one shown, and choose again', async () => {
  const group = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ role: 'Staff', groups: [group] })
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const studyUid = newUid()
  const arrival = { namespaceUuid: group.namespaceUuid, accountUuid, source: 'harvest' as const, quietSeconds: 30 }
  const send = (bytes: Uint8Array) =>
    receiveImage(
      services,
      arrival,
      (async function* () {
        yield bytes
      })(),
    )
  const file = madeImage({ studyUid, number: 1 })
  const first = await send(file)
  const second = await send(
    rewritten(file, writing, ({ tag, value }) => {
      if (tag === Tag.PatientSex) return new TextEncoder().encode('M ')
      if (tag === Tag.PixelData) value[9] = 255
      return value
    }),
  )
  expect(second.outcome).toBe('conflict')
  const [{ uuid } = { uuid: '' }] = await query<{ uuid: string }>(
    `select uuid from study where phi_namespace = '${group.namespaceUuid}'`,
  )
  const get = async () => (await call('study/get', { sid, uuid })).body
  const shown = async () =>
    (
      await query<{ version: string }>(
        `select version from instance where is_primary and storage_namespace = '${group.namespaceUuid}'`,
      )
    ).map(({ version }) => version)
  expect(await get()).toMatchObject({ conflict_count: 1, settled_count: 0, image_count: 1 })
  const sop_uid = `${studyUid}.1.1`
  const listed = (await call('study/conflicts', { sid: viewer.sid, uuid, sop_uid })).body
  expect(listed).toMatchObject({
    conflicts: [
      {
        sop_uid,
        versions: [
          { version: first.version, is_shown: 1, is_settled: 0 },
          { version: second.version, is_shown: 0, is_settled: 0 },
        ],
      },
    ],
    comparisons: [
      {
        first: first.version,
        second: second.version,
        difference_count: 1,
        differences: [{ path: '00100040', keyword: 'PatientSex', first: 'F', second: 'M' }],
        pixels_differ: 1,
        frames: [0],
      },
    ],
  })
  const keep = (by: string, version: string, series_uid = `${studyUid}.1`) =>
    call('study/conflict/settle', { sid: by, uuid, sop_uid, series_uid, version })
  expect((await keep(viewer.sid, second.version)).body.error_type).toBe('NOT_PERMITTED')
  expect((await keep(sid, second.version, '1.2')).body.error_type).toBe('INVALID_PARAMETERS')
  expect((await keep(sid, 'nonsense')).body.error_type).toBe('INVALID_PARAMETERS')
  expect(await shown()).toEqual([first.version])
  for (const version of [second.version, first.version]) {
    expect((await keep(sid, version)).body).toEqual({ status: 'OK' })
    expect(await shown()).toEqual([version])
    expect(await get()).toMatchObject({ conflict_count: 0, settled_count: 1, image_count: 1 })
  }
  const audit = await query(
    `select detail from audit where action = 'CONFLICT_SETTLED' and object_uuid = '${uuid}' order by id`,
  )
  expect(audit).toEqual([
    { detail: { image_uid: sop_uid, shown: second.version, before: [first.version] } },
    { detail: { image_uid: sop_uid, shown: first.version, before: [second.version] } },
  ])
  // another one that comes is open again
  await send(
    rewritten(file, writing, ({ tag, value }) => (tag === Tag.PatientID ? new TextEncoder().encode('M9') : value)),
  )
  expect(await get()).toMatchObject({ conflict_count: 1, settled_count: 1, image_count: 1 })
})
