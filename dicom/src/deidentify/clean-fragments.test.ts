import { expect, test } from 'vitest'
import { cleanFragments } from './clean-fragments.ts'

const segment = (marker: number, text: string) => {
  const body = Buffer.from(text, 'latin1')
  return Buffer.concat([Buffer.of(0xff, marker, 0, body.length + 2), body])
}
const jpeg = Buffer.concat([
  Buffer.of(0xff, 0xd8),
  segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02Gerda'),
  segment(0xe1, 'Exif\0\0Gerda'),
  segment(0xda, 'scan'),
  Buffer.of(1, 2, 0xff, 0, 3, 0xff, 0xd0, 4),
  segment(0xfe, 'Gerda'),
  Buffer.of(0xff, 0xd9),
  Buffer.from('Gerda'),
])
const tile = Buffer.concat([
  Buffer.of(0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1),
  segment(0x64, '\0\x01Gerda'),
  Buffer.of(0xff, 0x93, 5, 6),
])
const jpeg2000 = Buffer.concat([
  Buffer.of(0xff, 0x4f),
  segment(0x51, 'size'),
  segment(0x64, '\0\x01Gerda'),
  tile,
  Buffer.of(0xff, 0xd9),
])

function pixels(...fragments: Buffer[]): Buffer {
  const items = [Buffer.alloc(0), ...fragments].map((fragment) => {
    const header = Buffer.from('feff00e000000000', 'hex')
    header.writeUInt32LE(fragment.length, 4)
    return Buffer.concat([header, fragment])
  })
  return Buffer.concat([
    Buffer.from('e07f10004f420000ffffffff', 'hex'),
    ...items,
    Buffer.from('feffdde000000000', 'hex'),
  ])
}

async function cleaned(bytes: Buffer, form: 'jpeg' | 'jpeg2000'): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  })()
  for await (const part of cleanFragments(chunks, form)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

test.each([
  ['jpeg', jpeg],
  ['jpeg2000', jpeg2000],
] as const)(
  'comments and data of applications are blanked in frames of %s, whose pixels and lengths stay',
  async (form, frame) => {
    const bytes = pixels(frame, frame)
    expect(bytes.includes('Gerda')).toBe(true)
    const clean = await cleaned(bytes, form)
    expect(clean.includes('Gerda')).toBe(false)
    expect(clean.length).toBe(bytes.length)
    expect(
      clean.includes(form === 'jpeg' ? Buffer.of(1, 2, 0xff, 0, 3, 0xff, 0xd0, 4) : Buffer.of(0xff, 0x93, 5, 6)),
    ).toBe(true)
    expect(clean.includes(form === 'jpeg' ? 'JFIF' : 'size')).toBe(true)
  },
)

test.each([
  ['jpeg', Buffer.from('no picture at all ')],
  ['jpeg', jpeg.subarray(0, 30)],
  ['jpeg2000', jpeg],
  ['jpeg2000', jpeg2000.subarray(0, 20)],
] as const)('frames that are no whole %s are refused', async (form, frame) => {
  await expect(cleaned(pixels(frame), form)).rejects.toMatchObject({ name: 'DicomReadError' })
})
