import { expect, test } from 'vitest'
import { contentDisposition } from './send-parts.ts'

test('a browser is told the true name in UTF-8 and a plain one beside it', () => {
  const header = contentDisposition('Müller_山田_20260102.zip', false)
  expect(header).toBe(
    `attachment; filename="M_ller___20260102.zip"; filename*=UTF-8''${encodeURIComponent('Müller_山田_20260102.zip')}`,
  )
  expect(header).toMatch(/^[\x20-\x7e]+$/)
})
