import { afterEach, expect, it, vi } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { undrawnInFull } from './undrawn-in-full.ts'

afterEach(() => vi.unstubAllGlobals())

const SOP = '1.2.840.10008.5.1.4.1.1.'
const text = (value: string) => ({ vr: 'UI', Value: [value] })
const presentation = { modality: 'PR', instance: { '00080016': text(`${SOP}11.1`) } }
const labelMap = { modality: 'SEG', instance: { '00080016': text(`${SOP}66.7`) } }
const bits = { modality: 'SEG', instance: { '00080016': text(`${SOP}66.4`) } }
const image = { modality: 'CT', instance: { '00080016': text(`${SOP}2`) } }

/** Words of the full viewer about a study of such series, each of one instance. */
async function sentenceOf(...series: { modality: string; instance: DicomObject }[]): Promise<string | undefined> {
  vi.stubGlobal('fetch', async (path: string) => {
    const at = /series\/(\d+)\/metadata$/.exec(path)?.[1]
    if (at !== undefined) return Response.json([series[Number(at)]?.instance])
    return Response.json(
      series.map(({ modality }, number) => ({ '0020000E': text(String(number)), '00080060': text(modality) })),
    )
  })
  return undrawnInFull('n', '1.2.3', 'sid')
}

it('names presentation states and label maps, and says nothing of segments that are drawn', async () => {
  expect(await sentenceOf(image, bits)).toBeUndefined()
  expect(await sentenceOf(image, presentation)).toMatch(/^Presentation states of this exam/)
  expect(await sentenceOf(image, labelMap)).toMatch(/^Label maps of this exam/)
  expect(await sentenceOf(image, labelMap, bits, presentation)).toMatch(/^Presentation states and label maps/)
})

it('says nothing of a study that does not answer', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 500 }))
  expect(await undrawnInFull('n', '1.2.3', 'sid')).toBeUndefined()
})
