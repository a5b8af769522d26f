import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCorpusMissing, readCorpusFile } from '@hilum/dicom/node/corpus'
import { dataSetToJson } from '@hilum/dicom/json'
import { readDataSet, readHeader } from '@hilum/dicom/read'
import { createRenderPool } from '@hilum/dicom/render/pool'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitBigEndian, ExplicitLittleEndian, transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { newUid } from '@hilum/dicom/uid'
import { concatBytes, encodeElements, writeMeta } from '@hilum/dicom/write-part10'
import { afterAll, describe, expect, it } from 'vitest'
import { echoPeer, sendInstances } from './send-instances.ts'
import type { OutgoingInstance } from './outgoing-instance.ts'

const isDcmtkMissing = spawnSync('storescp', ['--version']).error !== undefined
if (isDcmtkMissing) {
  const message = 'DCMTK is not installed: sending UIDs without their VR to it did NOT run'
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`${message}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'hilum-unnamed-'))
const render = createRenderPool({ size: 1 })
afterAll(async () => {
  await render.close()
  await rm(folder, { recursive: true, force: true })
})

async function instanceOf(bytes: Uint8Array): Promise<OutgoingInstance> {
  const read = readHeader(bytes, { untilPixelData: true })
  if (read.kind !== 'header') throw new Error('The file is cut')
  const { sopClassUid, sopInstanceUid, transferSyntax } = read.header
  const path = join(folder, sopInstanceUid)
  await writeFile(path, bytes)
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
  }
  const useFile: OutgoingInstance['useFile'] = (use) => use({ path, offset: 0, length: bytes.length })
  return { sopClass: sopClassUid, sopInstance: sopInstanceUid, transferSyntax, open, useFile }
}

function makeFile(vr: string, transferSyntax: string): Uint8Array {
  const encoding = transferSyntaxOf(transferSyntax)
  const [sopClass, sopInstance] = ['1.2.840.10008.5.1.4.1.1.7', newUid()]
  const uid = (tag: number, text: string) => ({ tag, vr: 'UI', value: text })
  const body = encodeElements(
    [
      uid(Tag.SOPClassUID, sopClass),
      uid(Tag.SOPInstanceUID, sopInstance),
      { tag: Tag.PatientName, vr: 'PN', value: 'Silva^Ana' },
      { tag: Tag.PatientID, vr: 'LO', value: '4711' },
      uid(Tag.StudyInstanceUID, newUid()),
      uid(Tag.SeriesInstanceUID, newUid()),
    ],
    encoding,
  )
  const text = Buffer.from(body)
  if (vr === 'UN')
    return concatBytes([writeMeta(sopClass, sopInstance, transferSyntax), asUnknown(body, transferSyntax)])
  for (let at = text.indexOf('UI'); at >= 0; at = text.indexOf('UI', at + 1)) text.write(vr, at, 'latin1')
  return concatBytes([writeMeta(sopClass, sopInstance, transferSyntax), text])
}

/** The same elements, the UIDs as UN. */
function asUnknown(body: Uint8Array, transferSyntax: string): Uint8Array {
  const { dataSet } = readDataSet(concatBytes([writeMeta('1.2', '1.2.3', transferSyntax), body]))
  const { bytes, encoding } = dataSet.source
  return encodeElements(
    [...dataSet.elements.values()].map(({ tag, vr, valueStart, length }) => ({
      tag,
      vr: vr === 'UI' ? 'UN' : (vr ?? 'UN'),
      value: bytes.slice(valueStart, valueStart + length),
    })),
    encoding,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

describe.skipIf(isDcmtkMissing || isCorpusMissing)('objects whose UIDs have the VR UN, or none', () => {
  it('reach DCMTK, which finds no UID under another VR, in every encoding', async () => {
    const port = await freePort()
    const peer = { host: '127.0.0.1', port, calledTitle: 'STORE', callingTitle: 'HILUM' }
    const scp = spawn('storescp', ['+xa', '-od', folder, String(port)], { stdio: 'ignore' })
    try {
      await expect
        .poll(() =>
          echoPeer(peer).then(
            ({ status }) => status,
            () => -1,
          ),
        )
        .toBe(0)
      const files = [
        readCorpusFile('malformed/explicit_VR-UN.dcm'),
        makeFile('UN', ExplicitLittleEndian),
        makeFile('UN', ExplicitBigEndian),
        makeFile('  ', ExplicitLittleEndian),
      ]
      const instances = await Promise.all(files.map(instanceOf))
      const outcomes = await sendInstances(peer, instances, { render })
      expect(outcomes.map(({ kind, reason }) => [kind, reason])).toEqual(files.map(() => ['stored', '']))
      const arrived = (await readdir(folder)).filter((name) => /^[A-Z]+\./.test(name))
      expect(arrived).toHaveLength(files.length)
      for (const [index, instance] of instances.entries()) {
        const name = arrived.find((one) => one.endsWith(instance.sopInstance)) ?? ''
        const sent = dataSetToJson(readDataSet(new Uint8Array(await readFile(join(folder, name)))).dataSet)
        expect(sent).toEqual(dataSetToJson(readDataSet(files[index] ?? new Uint8Array()).dataSet))
      }
    } finally {
      scp.kill()
      if (scp.exitCode === null) await once(scp, 'exit')
    }
  })
})
