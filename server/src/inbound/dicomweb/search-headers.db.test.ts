import { Tag } from '@hilum/dicom/tags'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { newUid } from '@hilum/dicom/uid'
import { beforeAll, describe, expect, test } from 'vitest'
import { startDicomweb, valueOf } from '../../../test/dicomweb-fixture.ts'
import { madeImage, uploadImage } from '../../../test/made-image.ts'

const server = await startDicomweb()
const member = await server.addMember(['study_upload', 'study_view'])

type Order = { procedure: string; step: string }
type Made = { id: string; begun?: string; orders: Order[] }

const made: Record<string, Made> = {
  one: { id: 'S-1001', begun: '20240105', orders: [{ procedure: 'RP1', step: 'SPS1' }] },
  two: {
    id: 's-1002',
    begun: '20240220',
    orders: [
      { procedure: 'RP2', step: 'SPS1' },
      { procedure: 'RP3', step: 'SPS3' },
    ],
  },
  three: { id: 'Ä-7', orders: [] },
}
const uids = new Map(Object.keys(made).map((name) => [name, newUid()]))
const nameOf = new Map([...uids].map(([name, uid]) => [uid, name]))

beforeAll(async () => {
  for (const [name, { id, begun, orders }] of Object.entries(made)) {
    const text = (tag: number, vr: string, value: string): WriteElement => ({ tag, vr, value })
    const more: WriteElement[] = [
      text(0x00200010, 'SH', id),
      ...(begun ? [text(0x00400244, 'DA', begun), text(0x00400245, 'TM', '101500')] : []),
      {
        tag: 0x00400275,
        vr: 'SQ',
        value: orders.map(({ procedure, step }) => [text(0x00400009, 'SH', step), text(0x00401001, 'SH', procedure)]),
      },
      text(Tag.InstitutionName, 'LO', `Hospital ${name}`),
    ]
    for (const number of [1, 2]) {
      const image = madeImage({ studyUid: uids.get(name) ?? '', number, patientId: name, more })
      const { status } = await uploadImage(server, member, image)
      if (status !== 202) throw new Error(`The image was answered ${status}`)
    }
  }
})

async function found(query: string): Promise<string[]> {
  const list = await server.list(member, `${member.namespace}/${query}`)
  return [...new Set(list.map((one) => nameOf.get(String(valueOf(one, '0020000D'))) ?? '?'))].toSorted()
}

describe('a search by what no index keeps', () => {
  test.each([
    ['studies?StudyID=S-1001', ['one']],
    ['studies?00200010=s-1001', ['one']],
    ['studies?StudyID=s-100*', ['one', 'two']],
    ['studies?StudyID=S-100%3F', ['one', 'two']],
    ['studies?StudyID=%C3%A4-7', ['three']],
    ['studies?StudyID=nobody', []],
    ['studies?StudyID=.*', []],
    ['studies?StudyID=*', ['one', 'three', 'two']],
    ['studies?StudyID=', ['one', 'three', 'two']],
    ['studies?StudyID=S-100*&PatientID=two', ['two']],
    ['series?StudyID=S-1001', ['one']],
    ['instances?StudyID=S-1001', ['one']],
    ['series?PerformedProcedureStepStartDate=20240105', ['one']],
    ['series?PerformedProcedureStepStartDate=20240101-20240131', ['one']],
    ['series?PerformedProcedureStepStartDate=20240106-', ['two']],
    ['series?00400244=-20240105', ['one']],
    ['series?PerformedProcedureStepStartDate=20240101-&PerformedProcedureStepStartTime=10-11', ['one', 'two']],
    ['series?PerformedProcedureStepStartTime=1100-', []],
    ['series?RequestAttributesSequence.RequestedProcedureID=RP2', ['two']],
    ['series?RequestAttributesSequence.RequestedProcedureID=RP3', ['two']],
    ['series?00400275.00401001=RP1', ['one']],
    ['series?00400275.ScheduledProcedureStepID=SPS1', ['one', 'two']],
    ['series?RequestAttributesSequence.ScheduledProcedureStepID=SPS*&StudyID=s-1002', ['two']],
    ['instances?RequestAttributesSequence.RequestedProcedureID=RP9', []],
    ['series?InstitutionName=hospital%20t*', ['three', 'two']],
    ['instances?BitsAllocated=8&StudyID=S-1001', ['one']],
  ])('%s finds %j', async (query, names) => {
    expect(await found(query)).toEqual(names)
  })

  test('begins a page where the one before ended, and says that there is more', async () => {
    const pages: string[] = []
    for (let offset = 0; offset < 3; offset += 1) {
      const reply = await server.ask(member, `${member.namespace}/studies?StudyID=S-100*&limit=1&offset=${offset}`)
      const list = (await reply.json()) as Parameters<typeof valueOf>[0][]
      pages.push(list.map((one) => nameOf.get(String(valueOf(one, '0020000D')))).join())
      expect(reply.headers.get('warning')?.includes('additional') ?? false).toBe(offset === 0)
    }
    expect(pages).toEqual(['two', 'one', ''])
  })
})
