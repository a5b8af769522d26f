import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '@hilum/contract/storage-errors'
import { DimseError } from '@hilum/dicom/dimse/dimse-error'
import { newUid } from '@hilum/dicom/uid'
import { Tag } from '@hilum/dicom/tags'
import { writePart10 } from '@hilum/dicom/write-part10'
import { afterAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { receiveImage } from '../../areas/ingest/receive-image.command.ts'
import { aeTitleSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import { echoPeer } from '../../outbound/pacs/send-instances.ts'
import { openDicomListener } from '../dimse/open-dicom-listener.ts'

const token = 'a-token-of-the-monitor-0123456789'
const { app, services, call, query } = await startTestApp({ HILUM_METRICS_TOKEN: token, HILUM_DICOM_PORT: '0' })
const hidden = await startTestApp()
const listeners = await openDicomListener(services)
afterAll(() => listeners.close())
services.certificate.note((await makeCertificate(join(services.config.dataFolder, 'shown'), 'localhost', 20)).cert)
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()

const ask = (authorization?: string) => app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} })

/** The figures by their line without the value, e.g. `hilum_jobs{job="x",state="waiting"}`. */
async function read(): Promise<Map<string, number>> {
  const reply = await ask(`Bearer ${token}`)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=/),
  ])
  const lines = reply.body.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

function image(): Uint8Array {
  return writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.2' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.PatientName, vr: 'PN', value: 'SECRETNAME^ONE' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
  ])
}

describe('/metrics', () => {
  it('is not there without its setting, and refuses every other token, sids of administrators among them', async () => {
    expect(
      (await hidden.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode,
    ).toBe(404)
    const { sid } = await organisation.addPerson({ role: 'Administrator' })
    for (const authorization of [
      undefined,
      `Bearer ${sid}`,
      'Bearer x',
      `Bearer ${token}x`,
      `Basic ${btoa(`a:${token}`)}`,
    ]) {
      const reply = await ask(authorization)
      expect([reply.statusCode, reply.body.includes('hilum_')]).toEqual([401, false])
    }
    expect((await app.inject({ url: `/metrics?sid=${token}` })).statusCode).toBe(401)
  })

  it('gives every figure that the dashboard of docs/grafana.json shows, which shows all of ours', async () => {
    const dashboard = await readFile(join(import.meta.dirname, '../../../../docs/grafana.json'), 'utf8')
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    const shown = [...asked.matchAll(/\b(?:hilum|process|nodejs)_\w+(?=\{)/g)].map(([name]) => name)
    const given = (await ask(`Bearer ${token}`)).body
    const named = [...given.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', kind]) =>
      kind === 'histogram' ? `${name}_bucket` : name,
    )
    expect(shown.filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => name.startsWith('hilum_') && !shown.includes(name))).toEqual([])
  })

  it('gives the seconds until the certificate ends', async () => {
    const left = (await read()).get('hilum_certificate_seconds_left') ?? Number.NaN
    expect(left / 86_400).toBeGreaterThan(19)
    expect(left / 86_400).toBeLessThan(20)
  })

  it('counts requests by the pattern of their route, and calls by their path', async () => {
    await call('session/user', {})
    await app.inject({ url: '/api/v3/no/such/call' })
    await app.inject({ url: '/api/v3/storage/study/SECRETNAME/1.2.3/schema' })
    const figures = await read()
    const count = (method: string, route: string, status: number) =>
      figures.get(`hilum_http_requests_total{method="${method}",route="${route}",status="${status}"}`)
    expect(count('POST', '/api/v3/session/user', 401)).toBe(1)
    expect(count('GET', '/api/v3/*', 404)).toBe(1)
    expect([...figures.keys()].filter((name) => /SECRETNAME|no\/such/.test(name))).toEqual([])
    expect(figures.get('hilum_http_request_seconds_count{route="/api/v3/session/user"}')).toBe(1)
  })

  it('counts images by their outcome, and their bytes once', async () => {
    const bytes = image()
    const arrival = {
      namespaceUuid: group.namespaceUuid,
      accountUuid: organisation.accountUuid,
      source: 'upload',
      quietSeconds: 60,
    } as const
    async function* once(sent: Uint8Array) {
      yield sent
    }
    await receiveImage(services, arrival, once(bytes))
    await receiveImage(services, arrival, once(bytes))
    await expect(receiveImage(services, arrival, once(new Uint8Array(2_000)))).rejects.toThrow(StorageError)
    const figures = await read()
    const images = (outcome: string) => figures.get(`hilum_images_total{source="upload",outcome="${outcome}"}`)
    expect(['stored', 'duplicate', 'refused'].map(images)).toEqual([1, 1, 1])
    expect(figures.get('hilum_images_stored_bytes_total{source="upload"}')).toBe(bytes.length)
  })

  it('counts associations by their outcome, and tells which are open', async () => {
    await putSetting(services.db, 'namespace', group.namespaceUuid, aeTitleSetting, 'METRICS')
    const peer = { host: '127.0.0.1', port: listeners.port, callingTitle: 'CT_ROOM_1' }
    await echoPeer({ ...peer, calledTitle: 'METRICS' })
    await expect(echoPeer({ ...peer, calledTitle: 'NOBODY' })).rejects.toThrow(DimseError)
    await expect
      .poll(async () => {
        const figures = await read()
        const ended = (outcome: string) => figures.get(`hilum_dicom_associations_total{outcome="${outcome}"}`)
        return [ended('released'), ended('refused'), figures.get('hilum_dicom_associations_open')]
      })
      .toEqual([1, 1, 0])
  })

  it('tells of jobs and mails that wait or failed, of audit without a seal, of disk, database and process', async () => {
    await query(`insert into work (uuid, job, payload, lane, state, run_at) values
      (gen_random_uuid(), 'probe', '{}', 'a', 'waiting', now() - interval '90 seconds'),
      (gen_random_uuid(), 'probe', '{}', 'b', 'waiting', now() + interval '1 day'),
      (gen_random_uuid(), 'probe', '{}', 'c', 'failed', now())`)
    await query(`insert into mail (uuid, account_uuid, recipient, subject, body, created, last_error) values
      (gen_random_uuid(), '${organisation.accountUuid}', 'a@example.org', 's', 'b', now() - interval '1 hour', null),
      (gen_random_uuid(), '${organisation.accountUuid}', 'b@example.org', 's', 'b', now(), 'refused')`)
    await query(`insert into audit (account_uuid, actor_name, action, type, at)
      values ('${organisation.accountUuid}', 'x', 'probe', 'probe', now() - interval '2 hours')`)
    const figures = await read()
    const jobs = (state: string) => figures.get(`hilum_jobs{job="probe",state="${state}"}`)
    expect(['waiting', 'running', 'failed'].map(jobs)).toEqual([2, 0, 1])
    expect(figures.get('hilum_jobs_delay_seconds{job="probe"}')).toBeGreaterThanOrEqual(90)
    expect([figures.get('hilum_mails_waiting'), figures.get('hilum_mails_refused')]).toEqual([2, 1])
    expect(figures.get('hilum_mails_age_seconds')).toBeGreaterThanOrEqual(3_600)
    expect(figures.get('hilum_audit_unsealed_seconds')).toBeGreaterThanOrEqual(7_200)
    expect(figures.get('hilum_disk_size_bytes')).toBeGreaterThan(figures.get('hilum_disk_free_bytes') ?? Number.NaN)
    expect(figures.get('hilum_database_up')).toBe(1)
    expect(figures.get('hilum_database_connections{state="waiting"}')).toBe(0)
    expect(figures.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  })
})
