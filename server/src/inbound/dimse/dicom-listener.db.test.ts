import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflate } from '@hilum/dicom/node/inflate'
import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { defaultListenerLimits } from '@hilum/dicom/dimse/listener'
import { type Peer, requestAssociation } from '@hilum/dicom/dimse/request-association'
import { store } from '@hilum/dicom/dimse/services'
import { readHeader } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { writePart10 } from '@hilum/dicom/write-part10'
import { afterAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { objectPath } from '../../../test/object-path.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { aeTitleSetting, allowedPeersSetting } from '../../areas/node/peer-rules.ts'
import { putSetting } from '../../areas/setting/setting.sql.ts'
import type { OutgoingInstance } from '../../outbound/pacs/outgoing-instance.ts'
import { echoPeer, sendInstances } from '../../outbound/pacs/send-instances.ts'
import { type DicomListeners, openDicomListener } from './open-dicom-listener.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-dimse-'))
const pems = await makeCertificate(folder)
const { services, query } = await startTestApp({
  HILUM_DICOM_PORT: '0',
  HILUM_DICOM_TLS_PORT: '0',
  HILUM_DICOM_TLS_CA: pems.certFile,
  HILUM_TLS_CERT: pems.certFile,
  HILUM_TLS_KEY: pems.keyFile,
})
const listeners = await openDicomListener(services, { ...defaultListenerLimits, maxAssociationsPerAddress: 8 })
afterAll(async () => {
  await listeners.close()
  await rm(folder, { recursive: true, force: true })
})
const organisation = await makeOrganisation(services.db)
const ct = '1.2.840.10008.5.1.4.1.1.2'

async function makeNode(title: string, allowedPeers?: string) {
  const { namespaceUuid } = await organisation.addGroup()
  await putSetting(services.db, 'namespace', namespaceUuid, aeTitleSetting, title)
  if (allowedPeers) await putSetting(services.db, 'namespace', namespaceUuid, allowedPeersSetting, allowedPeers)
  return { namespaceUuid, peer: peerOf(listeners, title) }
}

function peerOf({ port }: DicomListeners, calledTitle: string): Peer {
  return { host: '127.0.0.1', port, calledTitle, callingTitle: 'CT_ROOM_1' }
}

/** A small object; its bytes lie in a file, as a stored one's do. */
async function makeObject(
  fields: { studyUid?: string; sopUid?: string; name?: string } = {},
): Promise<OutgoingInstance> {
  const sopInstance = fields.sopUid ?? newUid()
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: ct },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: sopInstance },
    { tag: Tag.PatientName, vr: 'PN', value: fields.name ?? 'TEST^ONE' },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: fields.studyUid ?? newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: '1.2.3' },
  ])
  return outgoing(bytes, { sopClass: ct, sopInstance, transferSyntax: ExplicitLittleEndian })
}

let written = 0
async function outgoing(
  bytes: Uint8Array,
  names: Pick<OutgoingInstance, 'sopClass' | 'sopInstance' | 'transferSyntax'>,
): Promise<OutgoingInstance> {
  const path = join(folder, `object-${++written}`)
  await writeFile(path, bytes)
  const open = async function* () {
    yield await readFile(path)
  }
  return { ...names, open, useFile: (use) => use({ path, offset: 0, length: bytes.length }) }
}

const send = (peer: Peer, instances: readonly OutgoingInstance[]) =>
  sendInstances(peer, instances, { render: services.render })

const reportsOf = (title: string) =>
  query<Record<string, unknown>>(`select * from dicom_association where called_title = '${title}' order by ended, uuid`)

describe('[DIMSE] the listener', () => {
  it('answers C-ECHO to those who call a title that exists', async () => {
    const { peer } = await makeNode('ECHO_NODE')
    expect(await echoPeer(peer)).toEqual({ status: 0 })
    await expect(echoPeer({ ...peer, calledTitle: 'ELSEWHERE' })).rejects.toThrow('not called by this AE title')
  })

  it('lets in only the allowed senders, and says so in its report', async () => {
    const { peer } = await makeNode('CLOSED', '[{"ae_title":"MR_1","address":"127.0.0.0/8"},{"address":"10.1.0.0/16"}]')
    await expect(echoPeer(peer)).rejects.toThrow('does not know our AE title')
    expect(await echoPeer({ ...peer, callingTitle: 'MR_1' })).toEqual({ status: 0 })
    const { peer: broken } = await makeNode('BROKEN', 'anybody')
    await expect(echoPeer(broken)).rejects.toThrow('does not know our AE title')
    await expect
      .poll(async () => (await reportsOf('CLOSED')).map((one) => one['outcome']).toSorted())
      .toEqual(['refused', 'released'])
  })

  it('names in its report that every context was refused, whichever way the peer goes then', async () => {
    const { peer } = await makeNode('NO_CONTEXT')
    const sopClass = '1.2.840.10008.5.1.4.1.2.2.1' // a query, which this listener does not serve
    for (const leave of ['close', 'abort'] as const) {
      const contexts = [{ abstractSyntax: sopClass, transferSyntaxes: ['1.2.840.10008.1.2'] }]
      const association = await requestAssociation(peer, contexts).catch(() => undefined)
      association?.[leave]()
    }
    await expect
      .poll(async () => (await reportsOf('NO_CONTEXT')).map(({ outcome, reason }) => [outcome, reason]))
      .toEqual(
        Array.from({ length: 2 }, () => ['refused', expect.stringMatching(/^Every context was refused.*1\.2\.2\.1/)]),
      )
  })

  it('stores for the namespace that was called: harvested, on record, with a report', async () => {
    const { namespaceUuid, peer } = await makeNode('STORE_NODE')
    const studyUid = newUid()
    const objects = [await makeObject({ studyUid }), await makeObject({ studyUid })]
    const outcomes = await send(peer, objects)
    expect(outcomes.map(({ kind, status }) => [kind, status])).toEqual([
      ['stored', 0],
      ['stored', 0],
    ])
    const studies = await query(
      `select source, source_ae_title, patient_name from study where phi_namespace = '${namespaceUuid}'`,
    )
    expect(studies).toEqual([{ source: 'harvest', source_ae_title: 'CT_ROOM_1', patient_name: 'TEST^ONE' }])
    const audit = await query<{ action: string; detail: object }>(
      `select a.action, a.detail from audit a join study s on s.uuid = a.object_uuid where s.phi_namespace = '${namespaceUuid}'`,
    )
    expect(audit.length).toBeGreaterThan(0)
    expect(audit[0]).toMatchObject({
      action: 'STUDY_RECEIVE',
      detail: { calling_ae: 'CT_ROOM_1', called_ae: 'STORE_NODE' },
    })
    await expect
      .poll(async () => (await reportsOf('STORE_NODE')).reduce((sum, one) => sum + Number(one['stored']), 0))
      .toBe(2)
    const [report] = await reportsOf('STORE_NODE')
    expect(report).toMatchObject({ outcome: 'released', failed: 0, calling_title: 'CT_ROOM_1', address: '127.0.0.1' })
  })

  it('stores the same bytes once, and other bytes of the same name beside the first', async () => {
    const { namespaceUuid, peer } = await makeNode('TWICE')
    const [studyUid, sopUid] = [newUid(), newUid()]
    const first = await makeObject({ studyUid, sopUid })
    for (const object of [first, first]) {
      expect(await send(peer, [object])).toMatchObject([{ kind: 'stored', status: 0 }])
    }
    const [told] = await send(peer, [await makeObject({ studyUid, sopUid, name: 'TEST^OTHER' })])
    expect(told).toMatchObject({ kind: 'warning', status: 0xb000 })
    expect(told?.reason).toContain('Kept beside another instance of the same name')
    const kept = await query(
      `select is_primary from instance where storage_namespace = '${namespaceUuid}' order by seq`,
    )
    expect(kept).toHaveLength(2)
    await expect
      .poll(async () => (await reportsOf('TWICE')).map((one) => [one['stored'], one['duplicates'], one['conflicts']]))
      .toEqual([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ])
  })

  it('stores an object whose SOP UID another study has, with a warning to the sender and in the report', async () => {
    const { namespaceUuid, peer } = await makeNode('ELSEWHERE_TOO')
    const { peer: other } = await makeNode('ELSEWHERE_NOT')
    const [sopUid, first, second] = [newUid(), newUid(), newUid()]
    expect(await send(peer, [await makeObject({ studyUid: first, sopUid })])).toMatchObject([{ status: 0 }])
    const again = [
      await makeObject({ studyUid: second, sopUid }),
      await makeObject({ studyUid: second }),
      await makeObject({ studyUid: second, sopUid }),
    ]
    const told = await send(peer, again)
    expect(told.map(({ kind, status }) => [kind, status])).toEqual([
      ['warning', 0xb000],
      ['stored', 0],
      ['warning', 0xb000],
    ])
    expect(told[0]?.reason).toContain('Another study here has an instance of the same name')
    // a namespace tells of its own studies alone
    expect(await send(other, [await makeObject({ studyUid: second, sopUid })])).toMatchObject([{ status: 0 }])
    const kept = await query(`select 1 from instance where storage_namespace = '${namespaceUuid}'`)
    expect(kept).toHaveLength(3)
    const warnings = async () =>
      (await reportsOf('ELSEWHERE_TOO')).flatMap((one) => one['warnings'] as { status: string; count: number }[])
    await expect.poll(async () => (await warnings()).reduce((sum, { count }) => sum + count, 0)).toBe(2)
    const reason = 'Another study here has an instance of the same name'
    for (const one of await warnings()) expect(one).toMatchObject({ status: 'B000', reason })
    expect((await reportsOf('ELSEWHERE_NOT')).map((one) => one['warnings'])).toEqual([[]])
  })

  it('refuses what contradicts its command or cannot be read, and goes on', async () => {
    const { namespaceUuid, peer } = await makeNode('STRICT')
    const good = await makeObject()
    const renamed = { ...(await makeObject()), sopInstance: newUid() }
    const noise = { sopClass: ct, sopInstance: '1.2.3', data: [Buffer.alloc(5_000, 0xee)] }
    const cut = { sopClass: ct, sopInstance: '1.2.3', data: [Buffer.from('0800160055491a00', 'hex')] }
    const association = await requestAssociation(peer, [
      { abstractSyntax: ct, transferSyntaxes: [ExplicitLittleEndian] },
    ])
    const [context] = association.contexts.values()
    if (!context) throw new Error('The context was not taken')
    const asked = async (object: { sopClass: string; sopInstance: string; data: Buffer[] }) => {
      async function* data() {
        yield* object.data
      }
      return (await store(association, context, { ...object, data: data() })).status
    }
    expect([await asked(noise), await asked(cut)]).toEqual([0xc000, 0xc000])
    await association.release()
    const [refused, taken] = await send(peer, [renamed, good])
    expect(refused).toMatchObject({ kind: 'failed', status: 0xa900 })
    expect(refused?.reason).toContain('SOP Instance UID differs')
    expect(taken).toMatchObject({ kind: 'stored' })
    expect(await query(`select 1 from instance where storage_namespace = '${namespaceUuid}'`)).toHaveLength(1)
    const failures = async () =>
      (await reportsOf('STRICT')).flatMap((one) => one['failures'] as { status: string; count: number }[])
    await expect
      .poll(async () => [...new Set((await failures()).map((one) => one.status))].toSorted())
      .toEqual(['A900', 'C000'])
  })

  it('takes TLS, and there only senders with a certificate of the named authority', async () => {
    const { peer } = await makeNode('SECRET')
    const secure = { ...peer, port: listeners.tlsPort ?? 0 }
    const tls = { ca: pems.cert, servername: 'localhost' }
    await expect(echoPeer({ ...secure, tls })).rejects.toThrow('connection')
    expect(await echoPeer({ ...secure, tls: { ...tls, cert: pems.cert, key: pems.key } })).toEqual({ status: 0 })
    // as a destination is called that has an address for a name
    const pinned = { ca: pems.cert, checkServerIdentity: () => undefined, cert: pems.cert, key: pems.key }
    expect(await echoPeer({ ...secure, tls: pinned })).toEqual({ status: 0 })
    await expect.poll(async () => (await reportsOf('SECRET')).map((one) => one['is_tls'])).toEqual([true, true])
  })

  it('shows renewed certificates, and asks senders for those of renewed authorities, without a restart', async () => {
    const { peer } = await makeNode('RENEWED')
    const secure = { ...peer, port: listeners.tlsPort ?? 0 }
    const renewed = await makeCertificate(folder)
    await listeners.renewCertificate()
    const tls = { ca: renewed.cert, servername: 'localhost' }
    expect(await echoPeer({ ...secure, tls: { ...tls, cert: renewed.cert, key: renewed.key } })).toEqual({ status: 0 })
    await expect(echoPeer({ ...secure, tls: { ...tls, cert: pems.cert, key: pems.key } })).rejects.toThrow('connection')
  })
})

describe.skipIf(isCorpusMissing)('[DIMSE] the corpus, over the listener', () => {
  it('arrives byte by byte, each file in its own syntax', async () => {
    const { namespaceUuid, peer } = await makeNode('CORPUS')
    const files = ['studies/', 'transfer-syntaxes/', 'charsets/'].flatMap((place) => listCorpus(place))
    const sent = new Map<string, Uint8Array>()
    const instances: OutgoingInstance[] = []
    for (const { path, expected } of files) {
      if (expected !== 'accept') continue
      const bytes = readCorpusFile(path)
      const read = readHeader(bytes, { inflate })
      if (read.kind !== 'header' || sent.has(read.header.sopInstanceUid)) continue
      const { sopClassUid, sopInstanceUid, transferSyntax, dataSetStart } = read.header
      sent.set(sopInstanceUid, bytes.subarray(dataSetStart))
      instances.push(await outgoing(bytes, { sopClass: sopClassUid, sopInstance: sopInstanceUid, transferSyntax }))
    }
    const outcomes = await send(peer, instances)
    expect(
      outcomes.filter((one) => one.kind !== 'stored').map(({ reason, instance }) => [instance.sopInstance, reason]),
    ).toEqual([])
    expect(outcomes.filter((one) => one.isTranscoded)).toEqual([])
    const rows = await query<{ sop_uid: string; object_key: string }>(
      `select i.sop_uid, b.object_key from instance i join blob b using (account_uuid, sha256, generation)
       where i.storage_namespace = '${namespaceUuid}'`,
    )
    expect(rows).toHaveLength(sent.size)
    for (const { sop_uid, object_key } of rows) {
      const kept = await readFile(objectPath(services.config, object_key))
      const original = Buffer.from(sent.get(sop_uid) ?? [])
      // group 0002 that we wrote, then what came; a last odd byte goes with a zero beside it
      const tail = kept.subarray(kept.length - original.length - (original.length % 2))
      expect([sop_uid, tail.subarray(0, original.length).equals(original)]).toEqual([sop_uid, true])
    }
  })
})
