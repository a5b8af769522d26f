import { expect, it } from 'vitest'
import { Tag } from '../tags.ts'
import { ImplicitLittleEndian } from '../transfer-syntaxes.ts'
import { findText } from '../values.ts'
import { identifierOf, readIdentifier } from './identifier.ts'

const context = { id: 1, abstractSyntax: '', transferSyntax: ImplicitLittleEndian }
const identifierWith = (name: string) =>
  identifierOf(
    [
      { tag: Tag.PatientName, vr: 'PN', value: name },
      { tag: Tag.QueryRetrieveLevel, vr: 'CS', value: 'STUDY' },
    ],
    context,
  )

it('writes plain letters in the order of their tags and names no character set', async () => {
  const chunks: Uint8Array[] = []
  for await (const chunk of identifierWith('DOE')) chunks.push(chunk)
  const hexOf = (text: string) => Buffer.from(text).toString('hex')
  const expected = ['08005200', '06000000', hexOf('STUDY '), '10001000', '04000000', hexOf('DOE ')]
  expect(Buffer.concat(chunks).toString('hex')).toBe(expected.join(''))
})

it.each([
  ['Größe^Jörg', 'ISO_IR 100'],
  ['Yamada^Tarou=山田^太郎', 'ISO_IR 192'],
])('names the character set of %s', async (name, charset) => {
  const command = { field: 0x8020 }
  const read = await readIdentifier({ context, command, data: identifierWith(name) })
  expect(read && findText(read, Tag.SpecificCharacterSet)).toBe(charset)
  expect(read && findText(read, Tag.PatientName)).toBe(name)
})
