import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callWell, listStudies, openSession } from './support/call.ts'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { concatBytes, encodeElements, type WriteElement, writeMeta } from '@hilum/dicom/write-part10'
import { hasOrthanc, hasToolkit, startDcmqrscp, startOrthanc, startStorescp, startWlmscpfs } from './support/peers.ts'
import { startDemo } from './support/start-demo.ts'
import { findFreePort, type RunningServer } from './support/start-server.ts'

/* Searching, retrieving and pushing between the whole system and real DICOM nodes. */

const folder = mkdtempSync(join(tmpdir(), 'hilum-destinations-'))
const stops: (() => Promise<void>)[] = []
let server: RunningServer
let dicomPort = 0
beforeAll(async () => {
  dicomPort = await findFreePort()
  server = await startDemo({ HILUM_DICOM_PORT: String(dicomPort) })
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Found = { study_uid: string; here_id: string; retrieval: { state: string; message: string } | null }

/** Archives that we send to, search and retrieve from, which know us as a node. */
const archives = {
  ORTHANC: async () =>
    (await startOrthanc({ folder, stops }, { hilum: ['HILUM_NODE', '127.0.0.1', dicomPort] })).dicomPort,
  ARCHIVE: async () => (await startDcmqrscp({ folder, stops }, { title: 'HILUM_NODE', port: dicomPort })).port,
}

describe.skipIf(!hasOrthanc || !hasToolkit)('[API-44][API-45][API-46] Orthanc and DCMTK as destinations', () => {
  it.each([
    ['Orthanc', 'ORTHANC'],
    ['dcmqrscp', 'ARCHIVE'],
  ] as const)(
    '%s takes what is pushed, is searched, and gives studies back by C-MOVE and by C-GET',
    async (_, title) => {
      const archivePort = await archives[title]()
      const storescp = await startStorescp({ folder, stops }, ['+xa'])
      const sid = await openSession(server.address, 'administrator')
      const ask = (path: string, input: Record<string, unknown>) => callWell(server.address, path, { sid, ...input })
      const { accounts } = (await ask('account/list', {})) as { accounts: { uuid: string }[] }
      const accountId = accounts[0]?.uuid
      const add = async (name: string, aetitle: string, port: number, flags: object) => {
        const place = { account_id: accountId, name, aetitle, address: '127.0.0.1', port }
        return String((await ask('destination/add', { ...place, ...flags }))['uuid'])
      }
      const archive = await add(`Archive ${title}`, title, archivePort, {
        can_search: 1,
        can_query_retrieve: 1,
        // dcmqrscp gives images of two associations that come at once the same file
        max_associations: 1,
      })
      const store = await add(`Store for ${title}`, 'STORE', storescp.port, { push_unchecked: 1 })
      const health = (await ask('destination/test', { uuid: archive })) as {
        steps: { step: string; outcome: string }[]
      }
      expect(health.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
        'connect ok',
        'echo ok',
        'search ok',
        'retrieve ok',
        'store ok',
      ])
      for (const uuid of [archive, store]) {
        const { steps } = (await ask('destination/test', { uuid, send_image: 1 })) as typeof health
        expect(steps.at(-1)).toMatchObject({ step: 'image', outcome: 'ok' })
      }

      const studies = await listStudies(server.address, sid)
      const isAlone = (uid: string) => studies.filter((one) => one.study_uid === uid).length === 1
      const study = studies.find((one) => one.modality === 'CT' && one.image_count > 1 && isAlone(one.study_uid))
      if (!study) throw new Error('The demo has no study that stands in one place alone')
      for (const destination of [archive, store])
        await ask('study/push', { uuid: study.uuid, destination_id: destination })
      await expect
        .poll(
          async () => {
            const got = (await ask('study/get', { uuid: study.uuid })) as { study_push_status: { status: string }[] }
            return got.study_push_status.map(({ status }) => status)
          },
          { timeout: 30_000 },
        )
        .toEqual(['S', 'S'])

      const others = studies.filter((one) => one.phi_namespace !== study.phi_namespace)
      const places = [...new Set(others.map((one) => one.phi_namespace))].slice(0, 2)
      for (const [index, place] of places.entries()) {
        await ask('destination/set', { uuid: archive, retrieve_method: index === 0 ? 'move' : 'get' })
        const { uuid } = await ask('destination/search', { uuid: archive, copy_to: place, patientid: study.patientid })
        const answer = async () =>
          (await ask('destination/search/get', { uuid })) as { state: string; results: Found[] }
        await expect.poll(async () => (await answer()).state, { timeout: 30_000 }).toBe('done')
        const found = (await answer()).results.find((one) => one.study_uid === study.study_uid)
        expect(found).toMatchObject({ here_id: '', retrieval: null })
        await ask('destination/retrieve', { destination_search_id: uuid, study_uid: study.study_uid })
        const state = async () => (await answer()).results.find((one) => one.study_uid === study.study_uid)
        await expect
          .poll(async () => (await state())?.retrieval, { timeout: 30_000 })
          .toMatchObject({ state: 'done', message: '' })
        expect((await state())?.here_id).not.toBe('')
      }
    },
  )
})

describe.skipIf(!hasOrthanc)('storage commitment with Orthanc', () => {
  it('is asked of it after a push and confirmed, and what it sent is confirmed to it', async () => {
    const orthanc = await startOrthanc(
      { folder, stops },
      { node: ['HILUM_NODE', '127.0.0.1', dicomPort], hilum: ['HILUM_KEEPS', '127.0.0.1', dicomPort] },
    )
    const sid = await openSession(server.address, 'administrator')
    const ask = (path: string, input: Record<string, unknown>) => callWell(server.address, path, { sid, ...input })
    const { accounts } = (await ask('account/list', {})) as { accounts: { uuid: string }[] }
    const accountId = accounts[0]?.uuid
    // reports go to the destination of this title: those of other tests are not there any more
    const { destinations } = (await ask('destination/list', { account_id: accountId })) as {
      destinations: { uuid: string; aetitle: string }[]
    }
    for (const one of destinations) if (one.aetitle === 'ORTHANC') await ask('destination/delete', { uuid: one.uuid })
    const { uuid: destination } = await ask('destination/add', {
      account_id: accountId,
      name: 'RetentionActor',
      aetitle: 'ORTHANC',
      address: '127.0.0.1',
      port: orthanc.dicomPort,
      can_search: 1,
      can_commit: 1,
    })
    const health = (await ask('destination/test', { uuid: destination })) as {
      steps: { step: string; outcome: string }[]
    }
    expect(health.steps.at(-1)).toMatchObject({ step: 'commit', outcome: 'ok' })
    const study = (await listStudies(server.address, sid)).find((one) => one.image_count > 1)
    if (!study) throw new Error('The demo has no study')
    await ask('study/push', { uuid: study.uuid, destination_id: destination })
    const told = async () => {
      const got = (await ask('study/get', { uuid: study.uuid })) as {
        study_push_status: { destination_uuid: string; status: string; commitment: string; commitment_reason: string }[]
      }
      const one = got.study_push_status.find((push) => push.destination_uuid === destination)
      return [one?.status, one?.commitment, one?.commitment_reason]
    }
    const count = study.image_count
    const words = `The destination confirms ${count} of ${count} images as stored.`
    await expect.poll(told, { timeout: 30_000 }).toEqual(['S', 'committed', words])

    const { groups } = (await ask('group/list', { account_id: accountId })) as {
      groups: { uuid: string; name: string }[]
    }
    await ask('group/set', { uuid: groups[0]?.uuid, dicom_ae_title: 'HILUM_KEEPS', dicom_allowed_peers: ['ORTHANC'] })
    const rest = async (path: string, body?: unknown): Promise<unknown> => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const reply = await fetch(`${orthanc.address}${path}`, init)
      expect([path, reply.status]).toEqual([path, 200])
      return reply.json()
    }
    const [held] = (await rest('/studies')) as string[]
    await rest('/modalities/hilum/store', { Resources: [held], Synchronous: true })
    const state = async (instances: unknown) => {
      const { ID } = (await rest('/modalities/hilum/storage-commitment', instances)) as { ID: string }
      const report = async () => (await rest(`/storage-commitment/${ID}`)) as { Status: string; Failures?: unknown[] }
      await expect.poll(async () => (await report()).Status, { timeout: 30_000 }).not.toBe('Pending')
      return report()
    }
    expect(await state({ Resources: [held] })).toMatchObject({ Status: 'Success' })
    const unknown = { DicomInstances: [['1.2.840.10008.5.1.4.1.1.2', '1.2.3.4']] }
    expect(await state(unknown)).toMatchObject({ Status: 'Failure' })
  })
})

/** An item of a worklist as a file, in the character set that Western systems use. */
function worklistItem({ name, mrn, accession }: { name: string; mrn: string; accession: string }): Uint8Array {
  const latin = (text: string) => new Uint8Array(Buffer.from(text.length % 2 === 0 ? text : `${text} `, 'latin1'))
  const step: WriteElement[] = [
    { tag: Tag.Modality, vr: 'CS', value: 'CT' },
    { tag: Tag.ScheduledStationAETitle, vr: 'AE', value: 'CT_1' },
    { tag: Tag.ScheduledProcedureStepStartDate, vr: 'DA', value: '20260301' },
    { tag: Tag.ScheduledProcedureStepStartTime, vr: 'TM', value: '093000' },
    { tag: Tag.ScheduledProcedureStepDescription, vr: 'LO', value: 'Thorax' },
    { tag: Tag.ScheduledProcedureStepID, vr: 'SH', value: `S${accession}` },
  ]
  const elements: WriteElement[] = [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 100' },
    { tag: Tag.AccessionNumber, vr: 'SH', value: accession },
    { tag: Tag.PatientName, vr: 'PN', value: latin(name) },
    { tag: Tag.PatientID, vr: 'LO', value: mrn },
    { tag: Tag.PatientBirthDate, vr: 'DA', value: '19700203' },
    { tag: Tag.PatientSex, vr: 'CS', value: 'F' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.RequestedProcedureDescription, vr: 'LO', value: 'CT Thorax' },
    { tag: Tag.ScheduledProcedureStepSequence, vr: 'SQ', value: [step] },
    { tag: Tag.RequestedProcedureID, vr: 'SH', value: `R${accession}` },
  ]
  const meta = writeMeta('1.2.840.10008.5.1.4.31', newUid(), ExplicitLittleEndian)
  return concatBytes([meta, encodeElements(elements, { isExplicit: true, isLittleEndian: true })])
}

describe.skipIf(!hasToolkit)('the worklist of DCMTK', () => {
  it('is asked for orders by name, MRN and accession number', async () => {
    const items = [
      worklistItem({ name: 'Müller^Jörg', mrn: 'H-1', accession: 'A1' }),
      worklistItem({ name: 'OTHER^ONE', mrn: 'H-2', accession: 'A2' }),
    ]
    const { port } = await startWlmscpfs({ folder, stops }, items)
    const sid = await openSession(server.address, 'administrator')
    const ask = (path: string, input: Record<string, unknown>) => callWell(server.address, path, { sid, ...input })
    const { accounts } = (await ask('account/list', {})) as { accounts: { uuid: string }[] }
    const place = { account_id: accounts[0]?.uuid, name: 'RIS', aetitle: 'RIS', address: '127.0.0.1', port }
    const { uuid: ris } = await ask('destination/add', { ...place, can_search_mwl: 1, can_push: 0 })
    const health = (await ask('destination/test', { uuid: ris })) as { ok: number; steps: unknown }
    expect(health).toMatchObject({ ok: 1 })
    const study = (await listStudies(server.address, sid))[0]
    const found = async (fields: object) => {
      const { uuid } = await ask('destination/search', {
        uuid: ris,
        copy_to: study?.phi_namespace,
        worklist: 1,
        ...fields,
      })
      const answer = async () =>
        (await ask('destination/search/get', { uuid })) as {
          state: string
          message: string
          orders: { patient_name: string }[]
        }
      await expect.poll(async () => (await answer()).state, { timeout: 20_000 }).not.toBe('waiting')
      const { message, orders } = await answer()
      return [message, orders.map((one) => one.patient_name)]
    }
    expect(await found({ patientid: 'H-1' })).toEqual(['', ['Müller^Jörg']])
    expect(await found({ accession_number: 'A2' })).toEqual(['', ['OTHER^ONE']])
    expect(await found({ patient_name: 'other' })).toEqual(['', ['OTHER^ONE']])
    expect(await found({ modality: 'CT' })).toEqual(['', ['Müller^Jörg', 'OTHER^ONE']])
  })
})

describe.skipIf(!hasOrthanc || !hasToolkit)('peers that query a group and retrieve from it', () => {
  it('find, get and move by DCMTK, and query and retrieve by Orthanc', async () => {
    const orthanc = await startOrthanc({ folder, stops }, { hilum: ['HILUM_QR', '127.0.0.1', dicomPort] })
    const sid = await openSession(server.address, 'administrator')
    const ask = (path: string, input: Record<string, unknown>) => callWell(server.address, path, { sid, ...input })
    const { accounts } = (await ask('account/list', {})) as { accounts: { uuid: string }[] }
    const accountId = accounts[0]?.uuid
    const study = (await listStudies(server.address, sid)).find((one) => one.image_count > 1)
    const { groups } = (await ask('group/list', { account_id: accountId })) as {
      groups: { uuid: string; namespace_id: string }[]
    }
    const group = groups.find((one) => one.namespace_id === study?.phi_namespace)
    if (!study || !group) throw new Error('The demo has no study in a group')
    await ask('group/set', {
      uuid: group.uuid,
      dicom_ae_title: 'HILUM_QR',
      dicom_allowed_peers: [],
      dicom_query_peers: ['FINDSCU', 'GETSCU', 'MOVESCU', 'ORTHANC'],
      dicom_worklist_peers: ['CT_1'],
    })
    const called = ['-aec', 'HILUM_QR', '127.0.0.1', String(dicomPort)]
    const keys = ['-S', '-k', 'QueryRetrieveLevel=STUDY', '-k', `StudyInstanceUID=${study.study_uid}`]
    const run = promisify(execFile)
    const target = join(folder, 'queried')
    mkdirSync(target)
    const found = await run('findscu', [
      ...keys,
      '-k',
      'PatientID',
      '-k',
      'PatientName',
      '-X',
      '-od',
      target,
      ...called,
    ])
    expect(found.stderr).not.toMatch(/^[EF]:/m)
    expect(readdirSync(target)).toHaveLength(1)
    await ask('order/add', { account_id: accountId, patientid: 'ORDERED', namespace_id: group.namespace_id })
    const { orders } = (await ask('order/list', { account_id: accountId, 'filter.patientid.equals': 'ORDERED' })) as {
      orders: { uuid: string }[]
    }
    await ask('order/sps/add', {
      order_id: orders[0]?.uuid,
      modality: 'CT',
      scheduled_procedure_step_start_date: '20260301',
    })
    const step = 'ScheduledProcedureStepSequence[0]'
    const worklist = [
      '-W',
      '-k',
      'PatientID',
      '-k',
      `${step}.Modality=CT`,
      '-k',
      `${step}.ScheduledProcedureStepStartDate`,
    ]
    const listed = await run('findscu', ['-aet', 'CT_1', ...worklist, ...called])
    expect(`${listed.stdout}${listed.stderr}`).toContain('ORDERED')
    const stranger = await run('findscu', ['-aet', 'STRANGER', ...keys, ...called]).catch((error: unknown) => error)
    expect(String(stranger)).toContain('No Acceptable Presentation Contexts')
    const got = join(folder, 'got')
    mkdirSync(got)
    await run('getscu', [...keys, '-od', got, ...called])
    expect(readdirSync(got)).toHaveLength(study.image_count)
    const store = await startStorescp({ folder, stops }, ['+xa'])
    const place = {
      account_id: accountId,
      name: 'Workstation',
      aetitle: 'WORKST',
      address: '127.0.0.1',
      port: store.port,
      // storescp answers no questions
      push_unchecked: 1,
    }
    await ask('destination/add', place)
    const moved = await run('movescu', [...keys, '-aem', 'WORKST', ...called])
    expect(moved.stderr).not.toMatch(/^[EF]:/m)
    expect(readdirSync(store.folder)).toHaveLength(study.image_count)

    await ask('destination/add', { ...place, name: 'Orthanc', aetitle: 'ORTHANC_QR', port: orthanc.dicomPort })
    const rest = async (path: string, body?: unknown): Promise<unknown> => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const reply = await fetch(`${orthanc.address}${path}`, init)
      expect([path, reply.status]).toEqual([path, 200])
      return reply.json()
    }
    for (const level of ['Patient', 'Study', 'Series'] as const) {
      const wanted = level === 'Patient' ? { PatientID: study.patientid } : { StudyInstanceUID: study.study_uid }
      const { ID } = (await rest('/modalities/hilum/query', { Level: level, Query: wanted })) as { ID: string }
      const answers = (await rest(`/queries/${ID}/answers`)) as string[]
      expect([level, answers.length]).toEqual([level, expect.any(Number)])
      expect(answers.length).toBeGreaterThan(0)
      if (level === 'Study')
        await rest(`/queries/${ID}/answers/0/retrieve`, { TargetAet: 'ORTHANC_QR', Synchronous: true })
    }
    const { CountInstances } = (await rest('/statistics')) as { CountInstances: number }
    expect(CountInstances).toBe(study.image_count)
  })
})
