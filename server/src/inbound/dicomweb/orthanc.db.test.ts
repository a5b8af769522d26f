import { isCorpusMissing, listCorpus, readCorpusFile } from '@hilum/dicom/node/corpus'
import { blankPreamble } from '@hilum/dicom/splice'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDicomweb } from '../../../test/dicomweb-fixture.ts'
import { isOrthancMissing, type Orthanc, startOrthanc } from '../../../test/start-orthanc.ts'
import type { Member } from '../../../test/storage-fixture.ts'

const server = await startDicomweb()
const files = listCorpus('studies/ct-with-sr-seg-pr-ko-pdf/').filter(
  (file, _, list) => file.study_uid === list[0]?.study_uid,
)
const study = files[0]?.study_uid ?? ''

describe.skipIf(isCorpusMissing || isOrthancMissing)('Orthanc as a DICOMweb client', () => {
  let member: Member
  let orthanc: Orthanc

  beforeAll(async () => {
    member = await server.addMember(['study_upload', 'study_view', 'study_download'])
    orthanc = await startOrthanc({
      hilum: {
        Url: `${server.origin}/dicomweb/${member.namespace}/`,
        HttpHeaders: { Authorization: `Bearer ${member.sid}` },
        ChunkedTransfers: true,
      },
    })
  })
  afterAll(() => orthanc?.stop())

  async function call(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
    const reply = await fetch(`${orthanc.address}${path}`, {
      method,
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    expect([path, reply.status]).toEqual([path, 200])
    return reply
  }
  const ask = async (path: string, body?: unknown, method?: string) => (await call(path, body, method)).json()

  test('stores its study here, finds it here, and takes it back byte for byte', async () => {
    for (const file of files) await call('/instances', readCorpusFile(file.path))
    const [id] = (await ask('/studies')) as string[]
    await call('/dicom-web/servers/hilum/stow', { Resources: [id], Synchronous: true })
    const stored = await server.list(member, `${member.namespace}/studies/${study}/instances`)
    expect(stored.map((one) => one['00080018']?.Value?.[0]).sort()).toEqual(files.map((file) => file.sop_uid).sort())

    const found = (await ask('/dicom-web/servers/hilum/qido', {
      Uri: '/studies',
      Arguments: { '0020000D': study, PatientName: '*' },
    })) as unknown[]
    expect([found.length, JSON.stringify(found)]).toEqual([1, expect.stringContaining(study)])

    await call(`/studies/${id}`, undefined, 'DELETE')
    await call('/dicom-web/servers/hilum/retrieve', { Resources: [{ Study: study }], Synchronous: true })
    const instances = (await ask(`/studies/${id}/instances`)) as {
      ID: string
      MainDicomTags: { SOPInstanceUID: string }
    }[]
    expect(instances).toHaveLength(files.length)
    for (const { ID, MainDicomTags } of instances) {
      const file = files.find((one) => one.sop_uid === MainDicomTags.SOPInstanceUID)
      const bytes = Buffer.from(await (await call(`/instances/${ID}/file`)).arrayBuffer())
      const isSame = bytes.equals(blankPreamble(readCorpusFile(file?.path ?? '')))
      expect([file?.path, isSame]).toEqual([file?.path, true])
    }
  })
})
