import { expect, it } from 'vitest'
import { presentReceivedImage } from './received-image.presenter.ts'

const facts = {
  studyUid: '1',
  seriesUid: '1.2',
  sopUid: '1.2.3',
  sopClass: 'class',
  transferSyntax: 'syntax',
  modality: 'CT',
  frames: 2,
}
const received = { outcome: 'stored', version: 'v1', sha256: 'hash', facts } as unknown as Parameters<
  typeof presentReceivedImage
>[0]

const shown = {
  study_uid: '1',
  image_uid: '1.2.3',
  image_version: 'v1',
  namespace: 'place',
  attr: {
    series_uid: '1.2',
    sop_class_uid: 'class',
    transfer_syntax_uid: 'syntax',
    modality: 'CT',
    frame_count: 2,
    sha256: 'hash',
  },
  outcome: 'stored',
}

it('answers an upload with what was received and what became of it', () => {
  expect(presentReceivedImage(received, 'place')).toEqual(shown)
})

it('names other studies that have an image of the same name', () => {
  expect(presentReceivedImage(received, 'place', ['9.9'])).toEqual({ ...shown, elsewhere: ['9.9'] })
})
