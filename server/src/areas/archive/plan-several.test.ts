import { expect, test, vi } from 'vitest'
import type { Services } from '../../services.ts'
import * as outgoingRecord from '../altered/outgoing-record.sql.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import * as ownBytes from '../storage/own-bytes.ts'
import * as recordImages from '../storage/record-images.sql.ts'
import { planDownload, planSeveral } from './plan-download.command.ts'

const outgoing: Awaited<ReturnType<typeof outgoingRecord.findOutgoingRecord>> = {
  patient_name: 'Doe^Jane',
  patientid: '1',
  issuer: '',
  patient_birth_date: '',
  patient_sex: '',
  study_date: '20260102',
  study_time: '',
  study_description: '',
  accession_number: '',
  mixed_patients: false,
  one_accession: false,
  several_mrns: false,
  one_mrn: false,
  created: '20260102000000',
  edits: [],
}
const instance = {
  series_uid: '1.2',
  sop_uid: '1.2.3',
  sop_class: '1.2.840.10008.5.1.4.1.1.2',
  transfer_syntax: '1.2.840.10008.1.2.1',
  instance_number: 1,
  length: 10,
  crc32: 1,
  arrived: new Date(0),
  object_key: 'folder/name',
  byte_offset: 0,
  preamble_blank: true,
} as StoredInstance

test('who wants one study waits for one of each archive of several, not for all of them', async () => {
  const begun: string[] = []
  vi.spyOn(recordImages, 'listSeries').mockResolvedValue([])
  vi.spyOn(recordImages, 'listImages').mockImplementation(async (_, { uuid }) => {
    begun.push(uuid)
    return [instance]
  })
  vi.spyOn(outgoingRecord, 'findOutgoingRecord').mockResolvedValue(outgoing)
  vi.spyOn(ownBytes, 'assertOwn').mockResolvedValue(undefined)
  const all = { withholds_reports: false, withholds_former: false }
  const recordOf = (uuid: string) => ({ uuid, phi_namespace: 'namespace', study_uid: '1.1', ...all })
  const services = {} as Services
  const plans = await Promise.all([
    planSeveral(services, ['a1', 'a2', 'a3'].map(recordOf), {}),
    planSeveral(services, ['b1', 'b2', 'b3'].map(recordOf), {}),
    planDownload(services, recordOf('one'), {}),
  ])
  expect(begun.slice(0, 3)).toEqual(['a1', 'b1', 'one'])
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'one'])
  expect(plans.map(({ filename }) => filename)).toEqual(['studies_3.zip', 'studies_3.zip', 'Doe_Jane_20260102.zip'])
})
