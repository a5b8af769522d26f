import { describe, expect, it } from 'vitest'
import { readAddress, withoutSid } from './address.ts'
import { presentDate, presentPerson } from './banner-texts.ts'
import { findClip, findClipStart } from './clips.ts'
import type { DicomObject } from './dicom-json.ts'
import { readSeriesImages } from './series-images.ts'
import { listWindowPresets } from './window-presets.ts'

const address = (text: string) => new URL(text, 'http://host/')

describe('the address of the viewer page', () => {
  it('[PANEL-08] names study, namespaces and sid', () => {
    expect(readAddress(address('/proviewer/?sid=a.b-c#study/stor-1/1.2.3a/phi-1'))).toEqual({
      sid: 'a.b-c',
      storageNamespace: 'stor-1',
      studyUid: '1.2.3a',
      phiNamespace: 'phi-1',
      mode: 'panel',
      scheme: undefined,
      isPatientShown: false,
    })
    expect(readAddress(address('/proviewer/?sid=s&mode=full#study/a/1.2/b'))?.mode).toBe('full')
    expect(readAddress(address('/proviewer/?sid=s&patient=shown#study/a/1.2/b'))?.isPatientShown).toBe(true)
    const tooLong = `1.2.${'9'.repeat(90)}`
    expect(readAddress(address(`/proviewer/?sid=s#study/a/${tooLong}/b`))?.studyUid).toBe(tooLong)
  })

  it.each([
    '?sid=s',
    '?sid=s#study/a/1.2',
    '#study/a/1.2/b',
    '?sid=s#study/a/../b',
    '?sid=s#study/a/1.2/b/c',
    '?sid=s%0d#study/a/1/b',
    '?sid=s#study/a/1%2f2/b',
  ])('is not taken as %s: a part is missing or could change a request path', (text) => {
    expect(readAddress(address(`/proviewer/${text}`))).toBeUndefined()
  })

  it('is shown without the sid', () => {
    expect(withoutSid(address('/proviewer/?sid=secret&mode=full#study/a/1.2/b'))).toBe(
      '/proviewer/?mode=full#study/a/1.2/b',
    )
  })
})

describe('the patient banner', () => {
  it('writes FAMILY, Given and dates with the month in letters', () => {
    expect(presentPerson('Doe^Jane^Ann^Dr')).toBe('DOE, Jane Ann')
    expect(presentPerson('Doe')).toBe('DOE')
    expect(presentPerson('')).toBe('')
    expect(presentDate('19610305')).toBe('5 Mar 1961')
    expect(presentDate('1961')).toBe('1961')
    expect(presentDate('19611305')).toBe('19611305')
  })
})

const object = (sopUid: string, values: Record<string, unknown[]>): DicomObject => ({
  '00080018': { vr: 'UI', Value: [sopUid] },
  ...Object.fromEntries(Object.entries(values).map(([tag, Value]) => [tag, { vr: 'LO', Value }])),
})
const image = (sopUid: string, number: number, frames?: number) =>
  object(sopUid, { '00280010': [4], '00200013': [number], ...(frames === undefined ? {} : { '00280008': [frames] }) })

describe('the images of a series', () => {
  it('go by instance number, one per frame', () => {
    const found = readSeriesImages([image('1.2', 2), image('1.1', 1, 3)])
    expect(found.kind === 'images' && found.images.map(({ sopUid, frame }) => `${sopUid}/${frame}`)).toEqual([
      '1.1/1',
      '1.1/2',
      '1.1/3',
      '1.2/1',
    ])
    expect(found.kind === 'images' && found.clips).toEqual([
      { start: 0, count: 3 },
      { start: 3, count: 1 },
    ])
  })

  it('reach the loader without the name of a window function, which it misreads', () => {
    const windowed = object('1.1', { '00280010': [4], '00281050': [2653], '00281051': [900], '00281056': ['SIGMOID'] })
    const found = readSeriesImages([windowed])
    expect(found).toMatchObject({ kind: 'images', windows: [{ center: 2653, width: 900 }] })
    expect(found.kind === 'images' && Object.keys(found.images[0]?.instance ?? {})).not.toContain('00281056')
  })

  it('are none for objects without a picture, with the reason in words', () => {
    const reasonOf = (values: Record<string, unknown[]>) => readSeriesImages([object('1.1', values)])
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.88.11'] })).toEqual({
      kind: 'none',
      reason: 'a structured report',
    })
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.88.59'] })).toEqual({
      kind: 'none',
      reason: 'a key object note',
    })
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.104.1'] })).toEqual({
      kind: 'none',
      reason: 'a PDF document',
    })
    expect(reasonOf({ '00280010': [480], '00083002': ['1.2.840.10008.1.2.4.100'] })).toEqual({
      kind: 'none',
      reason: 'a video, which can be downloaded',
    })
    expect(reasonOf({ '00280010': [4], '00280008': [2_147_483_647] })).toEqual({
      kind: 'none',
      reason: 'an object that claims too many frames',
    })
    expect(reasonOf({})).toEqual({ kind: 'none', reason: 'an object without pixels' })
    expect(readSeriesImages([])).toEqual({ kind: 'none', reason: 'an empty series' })
  })

  it('play at the speed the object names, within what a screen can do', () => {
    const speedOf = (values: Record<string, unknown[]>) => {
      const found = readSeriesImages([object('1.1', { '00280010': [4], '00280008': [2], ...values })])
      return found.kind === 'images' ? found.framesPerSecond : undefined
    }
    expect(speedOf({ '00181063': ['40'] })).toBe(25)
    expect(speedOf({ '00180040': ['15'] })).toBe(15)
    expect(speedOf({ '00181063': ['0'] })).toBe(20)
    expect(speedOf({ '00082144': ['4000'] })).toBe(60)
  })

  it('let a clip loop in itself and be leapt over', () => {
    const clips = [
      { start: 0, count: 3 },
      { start: 3, count: 4 },
    ]
    expect(findClip(clips, 4, 7)).toEqual({ start: 3, count: 4, number: 2 })
    expect(findClip([], 4, 7)).toEqual({ start: 0, count: 7, number: 1 })
    expect(findClipStart(clips, 1, 1)).toBe(3)
    expect(findClipStart(clips, 5, 1)).toBe(3)
    expect(findClipStart([], 5, 1)).toBeUndefined()
  })

  it('offer CT windows for CT only, the stored ones first', () => {
    expect(listWindowPresets('MR', [{ center: 100, width: 200 }]).map(({ label }) => label)).toEqual(['As stored'])
    expect(listWindowPresets('CT', []).map(({ label }) => label)).toEqual([
      'Whole range',
      'Soft tissue',
      'Lung',
      'Bone',
      'Brain',
      'Liver',
      'Mediastinum',
    ])
  })
})
