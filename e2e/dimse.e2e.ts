import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inflate } from '@hilum/dicom/node/inflate'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import { createRenderPool } from '@hilum/dicom/render/pool'
import type { LentFile } from '@hilum/server/outbound/storage/object-store'
import { sendInstances } from '@hilum/server/outbound/pacs/send-instances'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCorpus, listFiles } from './support/corpus.ts'
import { hasOrthanc, hasToolkit, startOrthanc, startStorescp } from './support/peers.ts'
import { hilum } from './support/hilum-command.ts'
import { makeImage } from './support/made-disc.ts'
import { startDemo } from './support/start-demo.ts'
import { findFreePort, type RunningServer } from './support/start-server.ts'

const corpus = resolve(import.meta.dirname, '..', process.env['HILUM_TEST_DICOM'] ?? '../shared/dicom')
const folder = mkdtempSync(join(tmpdir(), 'hilum-dimse-'))
const run = promisify(execFile)
const stops: (() => Promise<void>)[] = []
let server: RunningServer
let dicomPort = 0
let tlsPort = 0
beforeAll(async () => {
  dicomPort = await findFreePort()
  tlsPort = await findFreePort()
  server = await startDemo({ HILUM_DICOM_PORT: String(dicomPort), HILUM_DICOM_TLS_PORT: String(tlsPort) })
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

type Instance = { path: string; bytes: Buffer; header: DicomHeader }

describe.skipIf(!hasToolkit)('[DIMSE] DCMTK', () => {
  it('verifies the server, and learns when it called a title that nobody has', async () => {
    await run('echoscu', ['-aec', 'HILUM', '127.0.0.1', String(dicomPort)])
    const refused = run('echoscu', ['-aec', 'NOBODY', '127.0.0.1', String(dicomPort)])
    await expect(refused).rejects.toThrow('Called AE Title Not Recognized')
  })

  it('sends to the title and from the place that an administrator names at the terminal', async () => {
    const dicom = (...args: string[]) => hilum(server.dataFolder, 'dicom', ...args)
    const group = 'Teaching Library'
    const send = (...options: string[]) =>
      run('storescu', [...options, '-aec', 'TEACHING', '127.0.0.1', String(dicomPort), newObject()])
    // a try before this one may have left its title
    expect(await dicom('set', group, '--title', '', '--only-this-machine')).toMatchObject({ code: 0 })
    await expect(send('-aet', 'CT_1')).rejects.toThrow('Called AE Title Not Recognized')
    expect(
      await dicom('set', group, '--title', 'TEACHING', '--allow', 'CT_1@127.0.0.0/8', '--allow', '10.1.0.0/16'),
    ).toEqual({
      code: 0,
      said: 'Teaching Library (Northside Imaging): TEACHING, from CT_1@127.0.0.0/8, 10.1.0.0/16; queried by nobody\n',
    })
    await send('-aet', 'CT_1')
    await expect(send('-aet', 'CT_2')).rejects.toThrow('Calling AE Title Not Recognized')
    await expect.poll(async () => (await dicom('reports')).said).toMatch(/CT_2 .* to TEACHING: refused/)
    expect((await dicom('reports')).said).toMatch(/ CT_1 \(127\.0\.0\.1\) to TEACHING: released, 1 stored, 0 known/)
    expect(await dicom('set', 'Outpatient Imaging', '--title', 'TEACHING')).toEqual({
      code: 2,
      said: 'hilum dicom: Another group has the AE title TEACHING.\n',
    })
    const wrongs: [string[], string][] = [
      [['--title', 'MORE THAN SIXTEEN'], 'MORE THAN SIXTEEN cannot be an AE title'],
      [['--allow', '10.1.0.0/400@'], '10.1.0.0/400@ names no sender'],
      [[], 'Say what to set'],
    ]
    for (const [options, words] of wrongs)
      expect(await dicom('set', group, ...options)).toEqual({ code: 2, said: expect.stringContaining(words) })
    expect(await dicom('set', group, '--title', '', '--only-this-machine')).toMatchObject({ code: 0 })
    expect((await dicom()).said).toContain(
      'Teaching Library (Northside Imaging): no AE title, so it cannot be called\n',
    )
    await expect(send('-aet', 'CT_1')).rejects.toThrow('Called AE Title Not Recognized')
  })

  it.skipIf(!hasCorpus)('sends whole studies, one syntax after the other, and every value arrives', async () => {
    const instances = readInstances([
      'studies/ct-with-sr-seg-pr-ko-pdf',
      'studies/mr-multiseries-stc',
      'transfer-syntaxes',
    ])
    const sendable = instances.filter(({ header }) => syntaxOptions[header.transferSyntax] !== undefined)
    const bySyntax = Map.groupBy(sendable, ({ header }) => header.transferSyntax)
    expect(bySyntax.size).toBeGreaterThan(8)
    for (const [syntax, ofSyntax] of bySyntax) {
      const paths = ofSyntax.map(({ path }) => path)
      await run('storescu', [
        '-R',
        ...(syntaxOptions[syntax] ?? []),
        '-aec',
        'HILUM',
        '127.0.0.1',
        String(dicomPort),
        ...paths,
      ])
    }
    const kept = storedInstances()
    for (const sent of sendable) {
      const found = kept.get(sent.header.sopInstanceUid)
      expect(found?.header.transferSyntax).toBe(sent.header.transferSyntax)
      // DCMTK writes lengths of sequences anew; the pixels it leaves alone
      expect([sent.path, found && pixelsOf(found).equals(pixelsOf(sent))]).toEqual([sent.path, true])
    }
  })

  it('sends over TLS', async () => {
    const file = newObject()
    const authority = join(server.dataFolder, 'tls', 'self-signed.crt')
    await run('storescu', ['+tla', '+cf', authority, '-aec', 'HILUM_OUT', '127.0.0.1', String(tlsPort), file])
    await expect(run('storescu', ['-aec', 'HILUM_OUT', '127.0.0.1', String(tlsPort), file])).rejects.toThrow(
      'Command failed',
    )
  })

  it.skipIf(!hasCorpus)('receives each syntax as it is stored, and uncompressed where it takes no other', async () => {
    const takesAll = await startStorescp({ folder, stops }, ['+xa'])
    const takesImplicit = await startStorescp({ folder, stops }, ['+xi'])
    const render = createRenderPool({ size: 1 })
    stops.push(() => render.close())
    const instances = readInstances([
      'studies/ct-with-sr-seg-pr-ko-pdf',
      'studies/mr-multiseries-stc',
      'studies/us-stress-echo',
    ])
    const outgoing = instances.map(({ path, bytes, header }) => ({
      sopClass: header.sopClassUid,
      sopInstance: header.sopInstanceUid,
      transferSyntax: header.transferSyntax,
      open: async function* () {
        yield bytes
      },
      useFile: <T>(use: (file: LentFile) => Promise<T>) => use({ path, offset: 0, length: bytes.length }),
    }))
    const peer = { host: '127.0.0.1', calledTitle: 'STORE', callingTitle: 'HILUM' }
    const asStored = await sendInstances({ ...peer, port: takesAll.port }, outgoing, { render })
    expect(asStored.filter((one) => one.kind !== 'stored' || one.isTranscoded).map((one) => one.reason)).toEqual([])
    const decoded = await sendInstances({ ...peer, port: takesImplicit.port }, outgoing, { render })
    expect(decoded.filter((one) => one.kind !== 'stored').map((one) => one.reason)).toEqual([])
    expect(decoded.some((one) => one.isTranscoded)).toBe(true)
    const received = listFiles(takesImplicit.folder)
    expect(received).toHaveLength(new Set(instances.map(({ header }) => header.sopInstanceUid)).size)
    for (const file of received) expect(readInstance(file)?.header.transferSyntax).toBe('1.2.840.10008.1.2')
    await run('dcmftest', received)
  })
})

describe.skipIf(!hasOrthanc || !hasToolkit || !hasCorpus)('[DIMSE] Orthanc', () => {
  it('receives from us and sends back what it got, to a group of ours', async () => {
    const orthanc = await startOrthanc({ folder, stops }, { hilum: ['HILUM_OUT', '127.0.0.1', dicomPort] })
    const render = createRenderPool({ size: 1 })
    stops.push(() => render.close())
    const instances = readInstances(['studies/cr-hip', 'studies/mg-screening', 'studies/pr-voi-lut'])
    const outgoing = instances.map(({ path, bytes, header }) => ({
      sopClass: header.sopClassUid,
      sopInstance: header.sopInstanceUid,
      transferSyntax: header.transferSyntax,
      open: async function* () {
        yield bytes
      },
      useFile: <T>(use: (file: LentFile) => Promise<T>) => use({ path, offset: 0, length: bytes.length }),
    }))
    const peer = { host: '127.0.0.1', port: orthanc.dicomPort, calledTitle: 'ORTHANC', callingTitle: 'HILUM' }
    const sent = await sendInstances(peer, outgoing, { render })
    expect(sent.filter((one) => one.kind !== 'stored').map((one) => one.reason)).toEqual([])
    const listed = await fetch(`${orthanc.address}/instances`)
    const ids = (await listed.json()) as string[]
    expect(ids).toHaveLength(instances.length)
    const back = await fetch(`${orthanc.address}/modalities/hilum/store`, {
      method: 'POST',
      body: JSON.stringify({ Resources: ids, Synchronous: true }),
    })
    expect(await back.json()).toMatchObject({ FailedInstancesCount: 0, InstancesCount: ids.length })
    const kept = storedInstances()
    for (const { header } of instances) expect([...kept.keys()]).toContain(header.sopInstanceUid)
  })
})

/** How storescu is told to propose the syntax that the files are in. */
const syntaxOptions: Record<string, string[]> = {
  '1.2.840.10008.1.2': ['-xi'],
  '1.2.840.10008.1.2.1': ['-xe'],
  '1.2.840.10008.1.2.2': ['-xb'],
  '1.2.840.10008.1.2.1.99': ['-xd'],
  '1.2.840.10008.1.2.4.50': ['-xy'],
  '1.2.840.10008.1.2.4.51': ['-xx'],
  '1.2.840.10008.1.2.4.70': ['-xs'],
  '1.2.840.10008.1.2.4.80': ['-xt'],
  '1.2.840.10008.1.2.4.81': ['-xu'],
  '1.2.840.10008.1.2.4.90': ['-xv'],
  '1.2.840.10008.1.2.4.91': ['-xw'],
  '1.2.840.10008.1.2.5': ['-xr'],
}

function readInstance(path: string): Instance | undefined {
  const bytes = readFileSync(path)
  const read = readHeader(bytes, { inflate, untilPixelData: true })
  return read.kind === 'header' ? { path, bytes, header: read.header } : undefined
}

/** The instances below some folders of the corpus, each name once, without those that the toolkit calls damaged. */
function readInstances(places: readonly string[]): Instance[] {
  const files = places.flatMap((place) => listFiles(join(corpus, place))).filter((path) => path.endsWith('.dcm'))
  const sound = files.filter((path) => spawnSync('dcmdump', ['-q', path], { maxBuffer: 2 ** 28 }).status === 0)
  const read = sound.flatMap((path) => readInstance(path) ?? [])
  return [...new Map(read.map((one) => [one.header.sopInstanceUid, one])).values()]
}

/** The pixel data's value, or its fragments. Empty in a deflated file. */
function pixelsOf({ bytes, header }: Instance): Buffer {
  const { pixelOffset, dataSet } = header
  if (pixelOffset === undefined) return Buffer.alloc(0)
  const { isExplicit, isLittleEndian } = dataSet.encoding
  const valueStart = pixelOffset + (isExplicit ? 12 : 8)
  const length = isLittleEndian ? bytes.readUInt32LE(valueStart - 4) : bytes.readUInt32BE(valueStart - 4)
  const end = length === 0xffffffff ? bytes.lastIndexOf(Buffer.from('feffdde000000000', 'hex')) : valueStart + length
  return bytes.subarray(valueStart, end)
}

/** Instances on the server's disk, by SOP Instance UID. */
function storedInstances(): Map<string, Instance> {
  const files = listFiles(join(server.dataFolder, 'objects'))
  return new Map(files.flatMap((path) => readInstance(path) ?? []).map((one) => [one.header.sopInstanceUid, one]))
}

/** Some object of the demo, under a name of its own. */
/** An image that no group has yet. */
function newObject(): string {
  const path = join(folder, 'new.dcm')
  writeFileSync(path, makeImage({ name: 'Sent^New', mrn: 'N1' }))
  return path
}
