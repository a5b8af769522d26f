import { expect, test } from 'vitest'
import { textOfBytes } from './text-of-bytes.ts'

test.each([
  ['a letter', new TextEncoder().encode('Größe: 5\r\n\tok'), 'Größe: 5\r\n\tok'],
  ['UTF-16 with its mark', Uint8Array.of(0xff, 0xfe, 0x41, 0), 'A'],
  ['markup, which stays text', new TextEncoder().encode('<script>x</script>'), '<script>x</script>'],
  ['a ZIP file', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), undefined],
  ['Latin-1, which would be read wrong', Uint8Array.of(0x47, 0x72, 0xf6), undefined],
  ['nothing', new Uint8Array(), undefined],
])('[ATTACH-01] %s is shown as text or not at all', (_kind, bytes, text) => {
  expect(textOfBytes(bytes)).toBe(text)
})
