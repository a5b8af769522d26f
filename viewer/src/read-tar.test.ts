import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { header, makeTarball, padded } from '../test/make-tar.ts'
import { readTar } from './read-tar.ts'

async function read(
  archive: Buffer,
  wanted = (_path: string) => true,
  chunkBytes = 300,
): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for (let at = 0; at < archive.length; at += chunkBytes) chunks.push(archive.subarray(at, at + chunkBytes))
  const found: Record<string, string> = {}
  for await (const file of readTar(Readable.from(chunks), wanted)) found[file.path] = file.bytes.toString('utf8')
  return found
}

describe('reading a tar archive', () => {
  it('gives every wanted file whole, whatever the size of the pieces it comes in', async () => {
    const archive = gunzipSync(
      makeTarball({ 'package/a.txt': 'a'.repeat(1500), 'package/empty': '', 'package/b.txt': 'bee' }),
    )
    const all = { 'package/a.txt': 'a'.repeat(1500), 'package/empty': '', 'package/b.txt': 'bee' }
    expect(await read(archive, () => true, 7)).toEqual(all)
    expect(await read(archive, () => true, 100_000)).toEqual(all)
    expect(await read(archive, (path) => path.endsWith('b.txt'))).toEqual({ 'package/b.txt': 'bee' })
  })

  it('takes a long name from the record before the file', async () => {
    const path = `package/${'long/'.repeat(40)}name.js`
    const body = ` path=${path}\n`
    const record = Buffer.from(`${body.length + 3}${body}`)
    const archive = Buffer.concat([
      header('x', record.length, 'x'),
      padded(record),
      header('short', 2, '0'),
      padded(Buffer.from('ok')),
      Buffer.alloc(1024),
    ])
    expect(await read(archive)).toEqual({ [path]: 'ok' })
  })

  it('passes over links and folders', async () => {
    const archive = Buffer.concat([
      header('package/link', 0, '2'),
      header('package/folder', 0, '5'),
      Buffer.alloc(1024),
    ])
    expect(await read(archive)).toEqual({})
  })

  it('refuses an archive that is cut short or whose header is broken', async () => {
    const archive = gunzipSync(makeTarball({ 'package/a.txt': 'a'.repeat(1500) }))
    await expect(read(archive.subarray(0, 1000))).rejects.toThrow('ends inside a file')
    const broken = Buffer.from(archive)
    broken[3] = 7
    await expect(read(broken)).rejects.toThrow('broken header')
  })
})
