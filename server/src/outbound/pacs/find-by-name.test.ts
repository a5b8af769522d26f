import { readDataSet } from '@hilum/dicom/read'
import { Tag } from '@hilum/dicom/tags'
import { findItems, findText } from '@hilum/dicom/values'
import type { WriteElement } from '@hilum/dicom/write-part10'
import { beforeEach, describe, expect, it } from 'vitest'
import { startScriptedPeer, studyAnswer } from '../../../test/scripted-peer.ts'
import { nameKeysOf } from './find-by-name.ts'
import { findStudies, type StudyCriteria } from './find-studies.ts'
import { findWorklist } from './find-worklist.ts'

const archive = await startScriptedPeer('ARCHIVE')
beforeEach(() => {
  archive.script = {}
  archive.queried.length = 0
})

const peer = { host: '127.0.0.1', port: archive.port, calledTitle: 'ARCHIVE', callingTitle: 'HILUM' }
const nothing: StudyCriteria = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  description: '',
  modality: '',
  firstDate: '',
  lastDate: '',
}
const everything: StudyCriteria = {
  patientName: 'DOE, JANE ANN',
  patientId: 'H-1',
  accessionNumber: 'A-1',
  description: 'thorax%low',
  modality: 'CT',
  firstDate: '20260101',
  lastDate: '20260131',
  studyUid: '1.2.3',
}
const { signal } = new AbortController()
const studiesOf = (criteria: Partial<StudyCriteria>) =>
  findStudies(peer, { ...nothing, ...criteria }, { maxStudies: 100, signal })
const ordersOf = (criteria: Partial<StudyCriteria>) =>
  findWorklist(peer, { ...nothing, ...criteria }, { maxOrders: 100, signal })

/** The keys of each C-FIND that came, by their tags; those of the scheduled step after a dot. */
const keysThatCame = () =>
  archive.queried.map((file) => {
    const { dataSet } = readDataSet(file)
    const textsOf = (from: typeof dataSet, path: string): [string, string][] =>
      [...from.elements.keys()].flatMap((tag) => {
        const name = `${path}${tag.toString(16).padStart(8, '0')}`
        const [item] = tag === Tag.ScheduledProcedureStepSequence ? findItems(from, tag) : []
        return item ? textsOf(item, `${name}.`) : [[name, findText(from, tag) ?? '']]
      })
    const texts = textsOf(dataSet, '').filter(([name]) => !name.startsWith('0002'))
    return Object.fromEntries(texts)
  })

describe('the keys of a search', () => {
  it('are all criteria, and every value that is shown', async () => {
    await studiesOf(everything)
    expect(keysThatCame()[0]).toMatchObject({
      '00080020': '20260101-20260131',
      '00080030': '',
      '00080050': 'A-1',
      '00080052': 'STUDY',
      '00080054': '',
      '00080061': 'CT',
      '00080090': '',
      '00081030': '*thorax*low*',
      '00100010': '*DOE*^*JANE*ANN*',
      '00100020': 'H-1',
      '00100021': '',
      '00100030': '',
      '00100040': '',
      '0020000d': '1.2.3',
      '00201208': '',
    })
  })

  it('[PROCESS-08] are all criteria of a worklist, and every value that an order has', async () => {
    await ordersOf({ ...everything, lastDate: '20260101' })
    expect(keysThatCame()[0]).toMatchObject({
      '00080050': 'A-1',
      '00080090': '',
      '00100010': '*DOE*^*JANE*ANN*',
      '00100020': 'H-1',
      '00100021': '',
      '00100030': '',
      '00100040': '',
      '0020000d': '',
      '00321060': '',
      '00400100.00080060': 'CT',
      '00400100.00400001': '',
      '00400100.00400002': '20260101',
      '00400100.00400003': '',
      '00400100.00400007': '',
      '00400100.00400009': '',
      '00401001': '',
      '00402016': '',
    })
  })

  it('say nothing of what nobody asked for', async () => {
    await studiesOf({})
    await ordersOf({})
    const [study, order] = keysThatCame()
    expect(Object.values(study ?? {}).filter(Boolean)).toEqual(['STUDY'])
    expect(Object.values(order ?? {}).filter(Boolean)).toEqual([])
    expect(archive.queried).toHaveLength(2)
  })

  it('of a name are each way of writing it once', () => {
    expect(nameKeysOf('haaland ingrid')).toEqual(['*haaland*ingrid*', '*HAALAND*INGRID*', '*Haaland*Ingrid*'])
    expect(nameKeysOf("O'Connor, Ann")).toEqual(["*O'Connor*^*Ann*", "*O'CONNOR*^*ANN*"])
    expect(nameKeysOf('ØSTERGÅRD')).toEqual(['*ØSTERGÅRD*', '*Østergård*'])
    expect(nameKeysOf('山田')).toEqual(['*山田*'])
    expect(nameKeysOf(' ')).toEqual([''])
  })
})

describe('a search by name at a peer that heeds case', () => {
  const names = ['HAALAND^INGRID', 'Haaland^Ingrid', 'OTHER^ONE']
  const matching = (key: string) => {
    const parts = key.split('*').map((part) => part.replaceAll(/[\^$.|?+()[\]{}\\]/g, '\\$&'))
    const wanted = new RegExp(`^${parts.join('.*')}$`)
    return names.filter((one) => key === '' || wanted.test(one))
  }
  const orderOf = (name: string): WriteElement[] => [
    { tag: Tag.PatientName, vr: 'PN', value: name },
    { tag: Tag.PatientID, vr: 'LO', value: name },
  ]

  it.each(['haaland', 'HAALAND', 'Haaland', 'haaland, ingrid', 'haa%', 'ingrid'])(
    '[RETRIEVE-01][PROCESS-08] finds each way in which %s is written there, once',
    async (patientName) => {
      archive.script.answersTo = (textOf) =>
        matching(textOf(Tag.PatientName)).map((name) => studyAnswer({ uid: `1.2.${names.indexOf(name)}`, name }))
      const { studies } = await studiesOf({ patientName })
      expect(studies.map((one) => one.patient_name).toSorted()).toEqual(['HAALAND^INGRID', 'Haaland^Ingrid'])
      archive.script.answersTo = (textOf) => matching(textOf(Tag.PatientName)).map(orderOf)
      const { orders } = await ordersOf({ patientName })
      expect(orders.map((one) => one.patient_name).toSorted()).toEqual(['HAALAND^INGRID', 'Haaland^Ingrid'])
    },
  )

  it.each(['a status', 'silence'])(
    'gives what was found where another way of writing it is answered by %s',
    async (end) => {
      const [patience, closing] = [new AbortController(), Promise.withResolvers<void>()]
      archive.script.answersTo = () => [studyAnswer({ uid: '1.2.0', name: 'HAALAND^INGRID' })]
      archive.script.findStatus = () => (end === 'a status' && archive.queried.length > 1 ? 0xc001 : 0)
      archive.script.beforeFound = async () => {
        if (end !== 'silence' || archive.queried.length === 0) return
        patience.abort(new Error('too slow'))
        await closing.promise
      }
      const criteria = { ...nothing, patientName: 'haaland' }
      const searching = findStudies(peer, criteria, { maxStudies: 100, signal: patience.signal })
      const { studies } = await searching.finally(closing.resolve)
      expect(studies.map((one) => one.patient_name)).toEqual(['HAALAND^INGRID'])
    },
  )

  it('fails where the name as it is typed is answered by a fault', async () => {
    archive.script.findStatus = () => 0xc001
    await expect(studiesOf({ patientName: 'haaland' })).rejects.toThrow('C001')
  })

  it('asks no more once enough is found', async () => {
    archive.script.answers = names.map((name, at) => studyAnswer({ uid: `1.2.${at}`, name }))
    const { studies, isCut } = await findStudies(peer, { ...nothing, patientName: 'a' }, { maxStudies: 2, signal })
    expect([studies.length, isCut, archive.queried.length]).toEqual([2, true, 1])
  })
})
