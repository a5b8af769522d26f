import { expect, it } from 'vitest'
import type { StoredAttachment } from './attachment.sql.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import { presentSchema } from './schema.presenter.ts'

const record = { study_uid: '1', phi_namespace: 'place', phi_version: 4 }
const series = (series_uid: string) =>
  ({
    series_uid,
    modality: 'CT',
    series_number: 1,
    description: 'Axial',
    series_date: '20260301',
    series_time: '1200',
    body_part: 'HEAD',
    image_count: 2,
    size: 300,
  }) as StoredSeries
const instance = (series_uid: string, sop_uid: string) =>
  ({
    series_uid,
    sop_uid,
    version: 'v1',
    frames: 3,
    instance_number: 5,
    sop_class: 'class',
    rows: 64,
    columns: 32,
    transfer_syntax: 'syntax',
    length: 150,
  }) as StoredInstance
const attachment = {
  id: 'file',
  version: 'v2',
  filename: 'report.pdf',
  length: 20,
  stored: new Date('2026-03-01T00:00:00Z'),
} as StoredAttachment

function show(isExtended: boolean) {
  const instances = [instance('a', 'a.1'), instance('b', 'b.1'), instance('a', 'a.2')]
  return presentSchema(
    record,
    'store',
    [series('a'), series('b'), series('empty')],
    instances,
    [attachment],
    isExtended,
  )
}

it('lists images below their series, and attachments, under the names of the storage API', () => {
  const image = (id: string) => ({
    id,
    version: 'v1',
    frame_count: 3,
    instance_number: 5,
    sop_class_uid: 'class',
    rows: 64,
    columns: 32,
  })
  const shown = (series_uid: string, images: string[]) => ({
    series_uid,
    modality: 'CT',
    series_number: 1,
    series_description: 'Axial',
    series_date: '20260301',
    series_time: '1200',
    body_part: 'HEAD',
    image_count: 2,
    size: 300,
    images: images.map(image),
  })
  expect(show(false)).toEqual({
    namespace: 'store',
    study_uid: '1',
    series: [shown('a', ['a.1', 'a.2']), shown('b', ['b.1']), shown('empty', [])],
    attachments: [
      { id: 'file', version: 'v2', filename: 'report.pdf', size: 20, stored: 1772323200000, phi_namespace: 'place' },
    ],
  })
})

it('adds how each image is stored, and the version of the demographics, when asked for more', () => {
  const extended = show(true)
  expect(extended.phi_version).toBe(4)
  expect(extended.series[1]?.images[0]).toMatchObject({
    id: 'b.1',
    transfer_attributes: { transfer_syntax_uid: 'syntax', size: 150 },
  })
})
