import { describe, expect, it } from 'vitest'
import { failureReasons, type StoredPart } from './store-instances.command.ts'
import { presentStored } from './stow.presenter.ts'

const address = 'https://hilum.example/dicomweb/place'
const stored = (more: Partial<Extract<StoredPart, { kind: 'stored' }>> = {}): StoredPart => ({
  kind: 'stored',
  studyUid: '1',
  seriesUid: '1.2',
  sopUid: '1.2.3',
  sopClass: 'class',
  isConflict: false,
  isDuplicate: false,
  isElsewhere: false,
  ...more,
})
const failed = (more: Partial<Extract<StoredPart, { kind: 'failed' }>> = {}): StoredPart => ({
  kind: 'failed',
  failureReason: failureReasons.cannotUnderstand,
  reason: 'No DICOM',
  ...more,
})
const status = (...parts: StoredPart[]) => presentStored(parts, address).status
const text = (vr: string, value: string | number) => ({ vr, Value: [value] })

describe('the status of a store request', () => {
  it('says whether all, some or none is stored', () => {
    expect(status(stored(), stored())).toBe(200)
    expect(status(stored(), failed())).toBe(202)
    expect(status(failed())).toBe(409)
  })

  it('says when something is to be known of what is stored', () => {
    expect(status(stored(), stored({ isConflict: true }))).toBe(202)
    expect(status(stored({ isElsewhere: true }))).toBe(202)
  })

  it('asks to send again only where every instance may be taken later', () => {
    const noRoom = failed({ failureReason: failureReasons.outOfResources })
    expect(status(noRoom, noRoom)).toBe(503)
    expect(status(noRoom, failed())).toBe(409)
    expect(status(noRoom, stored())).toBe(202)
    expect(presentStored([noRoom], address).retrySeconds).toBe(30)
    expect(presentStored([noRoom, { ...noRoom, retrySeconds: 90 } as StoredPart], address).retrySeconds).toBe(90)
    expect(presentStored([failed({ retrySeconds: 5 })], address).retrySeconds).toBeUndefined()
    expect(presentStored([noRoom, stored()], address).retrySeconds).toBeUndefined()
  })
})

describe('the answer to a store request', () => {
  it('names the study and each stored instance by its address', () => {
    const reference = (sop: string) => ({
      '00081150': text('UI', 'class'),
      '00081155': text('UI', sop),
      '00081190': text('UR', `${address}/studies/1/series/1.2/instances/${sop}`),
    })
    expect(presentStored([stored(), stored({ sopUid: '1.2.4' })], address).json).toEqual({
      '00081190': text('UR', `${address}/studies/1`),
      '00081199': { vr: 'SQ', Value: [reference('1.2.3'), reference('1.2.4')] },
    })
  })

  it('names no study where there are several, or none', () => {
    expect(presentStored([stored(), stored({ studyUid: '2' })], address).json).not.toHaveProperty('00081190')
    expect(presentStored([failed()], address).json).not.toHaveProperty('00081190')
  })

  it('says of a stored instance what its sender should know', () => {
    const first = (part: StoredPart) => presentStored([part], address).json['00081199']?.Value?.[0]
    expect(first(stored({ isConflict: true, isElsewhere: true }))).toMatchObject({
      '00000902': text('LO', 'Kept beside another instance of the same name'),
      '00081196': text('US', 0xb000),
    })
    expect(first(stored({ isElsewhere: true }))).toMatchObject({
      '00000902': text('LO', 'Another study here has an instance of the same name'),
      '00081196': text('US', 0xb000),
    })
  })

  it('tells failures with number and reason, named ones apart from those without a name', () => {
    const long = 'x'.repeat(100)
    const named = failed({ sopUid: '1.2.3', sopClass: 'class', failureReason: failureReasons.doesNotMatch })
    expect(presentStored([failed({ reason: long }), named], address).json).toEqual({
      '00081198': {
        vr: 'SQ',
        Value: [
          {
            '00000902': text('LO', 'No DICOM'),
            '00081150': text('UI', 'class'),
            '00081155': text('UI', '1.2.3'),
            '00081197': text('US', 0xa900),
          },
        ],
      },
      '0008119A': {
        vr: 'SQ',
        Value: [{ '00000902': text('LO', 'x'.repeat(64)), '00081197': text('US', 0xc000) }],
      },
    })
  })
})
