import { writtenFormat } from '@hilum/contract/date-format'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readAddress, withoutSid } from './address.ts'
import { presentDate, presentPerson, showDatesAs } from './banner-texts.ts'
import { findClip, findClipStart } from './clips.ts'
import type { DicomObject } from './dicom-json.ts'
import { createStudySource } from './dicomweb.ts'
import { bearable, makerOf, pixelAspectOf } from './hard-images.ts'
import { imagesInOrder } from './image-order.ts'
import { markerOf, orientationOf, sliceTextOf } from './orientation.ts'
import { whoOf } from './patient-banner.ts'
import { readPart } from './read-part.ts'
import { readSeriesImages } from './series-images.ts'
import { byUsefulness, isScout } from './useful-series.ts'
import { rangeOf } from './value-range.ts'
import { SlowError, withinTime } from './within-time.ts'
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
      dateFormat: writtenFormat,
      isPatientShown: false,
      mayStore: false,
      isAlone: false,
      isPrior: false,
    })
    expect(readAddress(address('/proviewer/?sid=s&mode=full#study/a/1.2/b'))?.mode).toBe('full')
    expect(readAddress(address('/proviewer/?sid=s&patient=shown#study/a/1.2/b'))?.isPatientShown).toBe(true)
    expect(readAddress(address('/proviewer/?sid=s&alone=1#study/a/1.2/b'))?.isAlone).toBe(true)
    expect(readAddress(address('/proviewer/?sid=s&keep=1#study/a/1.2/b'))?.mayStore).toBe(true)
    expect(readAddress(address('/proviewer/?sid=s&prior=1#study/a/1.2/b'))?.isPrior).toBe(true)
    expect(readAddress(address('/proviewer/?sid=s&dates=DD%2FMM%2FYYYY#study/a/1.2/b'))?.dateFormat).toBe('DD/MM/YYYY')
    expect(readAddress(address('/proviewer/?sid=s&dates=YY#study/a/1.2/b'))?.dateFormat).toBe(writtenFormat)
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
  it('writes FAMILY, Given and dates as the person reads them, else with the month in letters', () => {
    expect(presentPerson('Doe^Jane^Ann^Dr')).toBe('DOE, Jane Ann')
    expect(presentPerson('Doe')).toBe('DOE')
    expect(presentPerson('')).toBe('')
    expect(presentDate('19610305')).toBe('5 Mar 1961')
    expect(presentDate('1961')).toBe('1961')
    expect(presentDate('19611305')).toBe('19611305')
    showDatesAs('DD/MM/YYYY')
    onTestFinished(() => showDatesAs(writtenFormat))
    expect(presentDate('19610305')).toBe('05/03/1961')
    expect(presentDate('1961')).toBe('1961')
  })
})

describe('whose exams stand beside each other', () => {
  const study = (values: Record<string, unknown>): DicomObject =>
    Object.fromEntries(
      Object.entries({
        '00100010': { Alphabetic: 'DOE^Jane' },
        '00100020': 'M1',
        '00100030': '19610305',
        ...values,
      }).map(([attribute, value]) => [attribute, { vr: 'LO', Value: value === '' ? [] : [value] }]),
    )

  it('is one patient where name, birth date, sex and MRN agree', () => {
    expect(whoOf(study({ '00100040': 'F' }))).toBe(whoOf(study({ '00100040': 'F', '00080020': '20200101' })))
    const others = [
      { '00100010': { Alphabetic: 'DOE^Jan' } },
      { '00100020': 'M2' },
      { '00100030': '19610306' },
      { '00100040': 'M' },
    ]
    for (const other of others) expect(whoOf(study(other))).not.toBe(whoOf(study({})))
  })

  it.each(['00100010', '00100020', '00100030'])('is not known without %s', (attribute) => {
    expect(whoOf(study({ [attribute]: '' }))).toBe('')
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

  it('are PET where greys of that modality are stored, and no pictures in colour', () => {
    const stored = (modality: string, photometric: string) =>
      readSeriesImages([object('1.1', { '00280010': [4], '00080060': [modality], '00280004': [photometric] })])
    expect(stored('PT', 'MONOCHROME2')).toMatchObject({ isPet: true })
    expect(stored('PT', 'RGB')).toMatchObject({ isPet: false })
    expect(stored('CT', 'MONOCHROME2')).toMatchObject({ isPet: false })
  })

  it('reach the loader without the name of a window function, which it misreads, and with a modality', () => {
    const windowed = object('1.1', { '00280010': [4], '00281050': [2653], '00281051': [900], '00281056': ['SIGMOID'] })
    expect(readSeriesImages([windowed])).toMatchObject({ kind: 'images', windows: [{ center: 2653, width: 900 }] })
    expect(Object.keys(bearable(windowed))).not.toContain('00281056')
    expect(bearable(windowed)['00080060']?.Value).toEqual(['OT'])
    expect(bearable({ ...windowed, '00080060': { vr: 'CS', Value: ['MG'] } })['00080060']?.Value).toEqual(['MG'])
  })

  it('stand by their place along the normal, then by number, whatever their numbers say', () => {
    const orders = (...places: (string[] | undefined)[]) =>
      imagesInOrder(
        places.map((place, at) =>
          object(`1.${at}`, {
            '00200013': [places.length - at],
            ...(place ? { '00200032': place, '00200037': ['1', '0', '0', '0', '1', '0'] } : {}),
          }),
        ),
      ).map((instance) => instance['00080018']?.Value?.[0])
    expect(orders(['0', '0', '5'], ['0', '0', '-5'], ['0', '0', '0'])).toEqual(['1.1', '1.2', '1.0'])
    expect(orders(['0', '0', '5'], undefined, ['0', '0', '0'])).toEqual(['1.2', '1.1', '1.0'])
    const turned = { '00200013': [9], '00200032': ['0', '0', '0'], '00200037': ['0', '1', '0', '0', '0', '1'] }
    const across = { '00200013': [3], '00200032': ['0', '0', '9'], '00200037': ['1', '0', '0', '0', '1', '0'] }
    expect(
      imagesInOrder([object('1.1', turned), object('1.2', across)]).map((one) => one['00080018']?.Value?.[0]),
    ).toEqual(['1.2', '1.1'])
  })

  it('without a window share one, without padding and by the values most pixels have', () => {
    const padded = object('1.1', { '00280120': [-2000], '00281053': ['2'], '00281052': ['10'] })
    const values = (...list: number[]) => Float32Array.from(list)
    expect(rangeOf([values(-3990, 20, 30), values(40, -3990, 500)], padded)).toEqual({ low: 20, high: 500 })
    expect(rangeOf([values(0, 0.001, 0.002)], object('1.1', {}))).toEqual({ low: 0, high: expect.closeTo(0.002) })
    expect(rangeOf([values(7, 7)], padded)).toBeUndefined()
    const ct = object('1.1', { '00080060': ['CT'] })
    expect(rangeOf([values(-3024, -1000, 1200)], ct)).toEqual({ low: -1024, high: 1200 })
  })

  it('of palettes come from the server, of floating point and bits of overlays from their values', () => {
    const us = (values: Record<string, number[]>) => object('1.1', { '00280010': [4], '00280011': [4], ...values })
    expect(makerOf(object('1.1', { '00280004': ['PALETTE COLOR'] }))).toBe('server')
    expect(makerOf({ ...us({}), '7FE00008': { vr: 'OF' } })).toBe('values')
    const bits = { '00280100': [16], '00280101': [12], '00280102': [11], '60000102': [15] }
    expect(makerOf(us(bits))).toBe('values')
    expect(makerOf(us({ ...bits, '60000102': [0] }))).toBe('decoder')
    expect(makerOf(us({ ...bits, '60000102': [5] }))).toBe('decoder')
    expect(pixelAspectOf(us({ '00280034': [2, 1] }))).toEqual([2, 1])
    expect(pixelAspectOf(us({ '00280034': [2, 1], '00280030': [1, 1] }))).toBeUndefined()
  })

  it('are read out of an answer in parts', () => {
    const text = new TextEncoder()
    const answer = text.encode('--b\r\nContent-Type: x\r\n\r\n\r\nab\r\n--b--\r\n')
    expect(new TextDecoder().decode(readPart(answer))).toBe('\r\nab')
    expect(readPart(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2))
  })

  it('that do not come in time are not waited for', async () => {
    const never = new Promise<never>(() => undefined)
    await expect(withinTime(never, 1, new AbortController().signal)).rejects.toThrow(SlowError)
    await expect(withinTime(never, 60_000, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(await withinTime(Promise.resolve(5), 60_000, new AbortController().signal)).toBe(5)
  })

  it('are none for objects without a picture, with the reason in words', () => {
    const reasonOf = (values: Record<string, unknown[]>) => readSeriesImages([object('1.1', values)])
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.88.11'] })).toEqual({
      kind: 'none',
      isReport: true,
      reason: 'a structured report',
    })
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.88.59'] })).toEqual({
      kind: 'none',
      isReport: false,
      reason: 'a key object note',
    })
    expect(reasonOf({ '00080016': ['1.2.840.10008.5.1.4.1.1.104.1'] })).toEqual({
      kind: 'none',
      isReport: true,
      reason: 'a PDF document',
    })
    expect(reasonOf({ '00280010': [480], '00083002': ['1.2.840.10008.1.2.4.100'] }).kind).toBe('videos')
    expect(reasonOf({ '00280010': [4], '00280008': [2_147_483_647] })).toEqual({
      kind: 'none',
      isReport: false,
      reason: 'an object that claims too many frames',
    })
    expect(reasonOf({})).toEqual({ kind: 'none', isReport: false, reason: 'an object without pixels' })
    expect(readSeriesImages([])).toEqual({ kind: 'none', isReport: false, reason: 'an empty series' })
  })

  it('play at the speed the object names, within what a screen can do', () => {
    const speedOf = (values: Record<string, unknown[]>) => {
      const found = readSeriesImages([object('1.1', { '00280010': [4], '00280008': [2], ...values })])
      return found.kind === 'images' ? found.images[0]?.framesPerSecond : undefined
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

  it('lists no window twice, and calls one that is usual by both names', () => {
    const stored = [
      { center: 40, width: 80 },
      { center: 40, width: 80 },
      { center: 300, width: 1500 },
    ]
    const listed = listWindowPresets('CT', stored)
    expect(new Set(listed.map(({ center, width }) => `${center} ${width}`)).size).toBe(listed.length)
    expect(listed.map(({ label }) => label)).toEqual([
      'As stored 1, Brain',
      'As stored 2',
      'Soft tissue',
      'Lung',
      'Bone',
      'Liver',
      'Mediastinum',
    ])
  })
})

describe('what is written over a picture', () => {
  it('names the sides of the patient, of a frame by its own place, else as the film says', () => {
    const standing = (...cosines: string[]) => orientationOf(object('1.1', { '00200037': cosines }), 1)
    expect(standing('1', '0', '0', '0', '1', '0')).toEqual({ right: 'L', left: 'R', bottom: 'P', top: 'A' })
    expect(standing('0', '1', '0', '0', '0', '-1')).toEqual({ right: 'P', left: 'A', bottom: 'F', top: 'H' })
    expect(standing('0.8', '0.6', '0', '0', '0', '-1')?.right).toBe('LP')
    expect(standing('0.99', '0.1', '0', '0', '0', '-1')?.left).toBe('R')
    expect(orientationOf(object('1.1', { '00200020': ['A', 'FL'] }), 1)).toEqual({
      right: 'A',
      left: 'P',
      bottom: 'FL',
      top: 'HR',
    })
    expect(orientationOf(object('1.1', { '00200020': ['<b>', 'F'] }), 1)).toBeUndefined()
    expect(standing()).toBeUndefined()
    const cosines = (...list: string[]) => ({
      '00209116': { vr: 'SQ', Value: [{ '00200037': { vr: 'DS', Value: list } }] },
    })
    const frames = {
      '52009230': [{}, cosines('0', '1', '0', '0', '0', '-1')],
      '52009229': [cosines('1', '0', '0', '0', '1', '0')],
    }
    expect(orientationOf(object('1.1', frames), 1)?.right).toBe('L')
    expect(orientationOf(object('1.1', frames), 2)?.right).toBe('P')
  })

  it('carries side and view, place and thickness', () => {
    expect(markerOf(object('1.1', { '00200062': ['L'], '00185101': ['MLO'] }))).toBe('L MLO')
    expect(markerOf(object('1.1', { '00200060': ['X'] }))).toBe('')
    const slice = { '00200037': ['1', '0', '0', '0', '1', '0'], '00200032': ['0', '0', '-12.25'], '00180050': ['5'] }
    expect(sliceTextOf(object('1.1', slice), 1)).toMatch(/^-12\.[23] mm {2}↕ 5 mm$/)
    expect(sliceTextOf(object('1.1', {}), 1)).toBe('')
  })
})

describe('the series that a study opens on', () => {
  const series = (seriesUid: string, modality: string, description: string, count: number | undefined) => ({
    seriesUid,
    modality,
    description,
    count,
    number: undefined,
  })
  const first = (...list: ReturnType<typeof series>[]) => byUsefulness(list).map(({ seriesUid }) => seriesUid)

  it('is no scout, no report and no lone screen beside stacks', () => {
    expect(
      first(
        series('sr', 'SR', 'Findings', 1),
        series('scout', 'CT', 'Topogram 0.6', 2),
        series('lone', 'CT', '', 1),
        series('stack', 'CT', 'Head 5 mm', 28),
        series('thin', 'CT', 'Head 1 mm', 140),
      ),
    ).toEqual(['stack', 'thin', 'scout', 'lone', 'sr'])
    expect(first(series('pr', 'PR', '', 1), series('film', 'CR', '', 1))).toEqual(['film', 'pr'])
    expect(first(series('lone', 'MR', '', 1), series('other', 'MR', '', undefined))).toEqual(['lone', 'other'])
  })

  it('says itself that it is a scout', () => {
    const scout = readSeriesImages([
      object('1.1', { '00280010': [4], '00080008': ['ORIGINAL', 'PRIMARY', 'LOCALIZER'] }),
    ])
    expect(isScout(scout)).toBe(true)
    expect(isScout(readSeriesImages([image('1.1', 1)]))).toBe(false)
  })
})

describe('requests of the viewer page', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('[API-01] name the client and its release, and carry the session in a header', async () => {
    const asked = vi.fn(async (_path: string, _sent: RequestInit) => Response.json([{}]))
    vi.stubGlobal('fetch', asked)
    const source = createStudySource('n', '1.2', 'secret')
    await source.fetchStudy()
    await source.listSeries()
    await source.fetchBytes('/picture', 'image/png')
    for (const [path, sent] of asked.mock.calls) {
      expect(path).not.toContain('secret')
      expect(sent.headers).toMatchObject({
        'sdk-client-name': 'USER',
        'sdk-version': expect.stringMatching(/^\d/),
        authorization: 'Bearer secret',
      })
    }
    expect(asked).toHaveBeenCalledTimes(3)
  })

  it('keep the reason of a refusal in words', async () => {
    const reason = 'This image came without its pixels. Its picture is lost.'
    vi.stubGlobal('fetch', async () => Response.json({ error: reason }, { status: 406 }))
    const source = createStudySource('n', '1.2', 'secret')
    await expect(source.fetchBytes('/picture', 'image/png')).rejects.toMatchObject({ reason })
    vi.stubGlobal('fetch', async () => new Response('<p>', { status: 406 }))
    await expect(source.fetchBytes('/picture', 'image/png')).rejects.toMatchObject({ reason: undefined })
  })
})
