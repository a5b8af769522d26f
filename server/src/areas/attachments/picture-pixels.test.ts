import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { readPictures } from './picture-pixels.ts'

const folder = await mkdtemp(join(tmpdir(), 'hilum-pictures-'))
afterAll(() => rm(folder, { recursive: true }))

async function kindOf(bytes: Buffer): Promise<string[]> {
  const path = join(folder, 'picture')
  await writeFile(path, bytes)
  const kinds: string[] = []
  for await (const { picture } of readPictures(path)) kinds.push(picture.pixels.kind)
  return kinds
}

it('takes a plain JPEG as it is, and opens one that hides behind more fill bytes than any needs', async () => {
  const shape = { width: 16, height: 16, channels: 3, background: '#336699' } as const
  const jpeg = await sharp({ create: shape }).jpeg().toBuffer()
  expect(await kindOf(jpeg)).toEqual(['jpeg'])
  const fill = Buffer.alloc(100_000, 0xff)
  expect(await kindOf(Buffer.concat([jpeg.subarray(0, 2), fill, jpeg.subarray(2)]))).toEqual(['native'])
})
