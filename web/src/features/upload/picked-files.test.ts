import { expect, test } from 'vitest'
import { skipCode } from './picked-files.ts'

test('[ERROR-17] what cannot be uploaded has the code of its reason; a directory and a second copy are no errors', () => {
  expect(skipCode({ kind: 'empty' })).toBe('FILE_CONTENT_EMPTY')
  expect(skipCode({ kind: 'not-dicom' })).toBe('DICOM_INFO_NOT_FOUND')
  expect(skipCode({ kind: 'missing-uid' })).toBe('TAG_NOT_FOUND')
  expect(skipCode({ kind: 'unreadable' })).toBe('FILE_UPLOAD_FAILED')
  expect(skipCode({ kind: 'directory' })).toBeUndefined()
  expect(skipCode({ kind: 'duplicate', of: 'cd/1' })).toBeUndefined()
})
