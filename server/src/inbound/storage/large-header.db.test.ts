import { RenderError } from '@hilum/dicom/render/render-error'
import { newUid } from '@hilum/dicom/uid'
import { expect, test, vi } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { type Member, startStorage } from '../../../test/storage-fixture.ts'

const storage = await startStorage()
const ITEMS = 100_000
const references = 0x00081140

/** Items that each hold one short text, encoded already: so many objects would take longer to write than to read. */
function manyItems(): Uint8Array {
  const item = Buffer.from('feff00e00c000000080005015348040041424344', 'hex')
  return new Uint8Array(Buffer.concat(Array.from({ length: ITEMS }, () => item)))
}

async function upload(member: Member, more: Parameters<typeof madeImage>[0]['more']) {
  const studyUid = newUid()
  const { status } = await uploadImage(storage, member, madeImage({ studyUid, number: 1, ...(more ? { more } : {}) }))
  expect(status).toBe(202)
  const study = `${storage.base}/study/${member.namespace}/${studyUid}`
  const image = `${study}/image/${studyUid}.1.1/version/*`
  const inSeries = `studies/${studyUid}/series/${studyUid}.1`
  const dicomweb = `${new URL(storage.base).origin}/dicomweb/${member.namespace}`
  const ownMetadata = `${storage.base}/dicomweb/${member.namespace}`
  return {
    model: [
      `${dicomweb}/${inSeries}/instances/${studyUid}.1.1/metadata`,
      `${dicomweb}/${inSeries}/metadata`,
      `${ownMetadata}/${inSeries}/instances/${studyUid}.1.1/metadata`,
    ],
    lists: [`${image}/json`, `${image}/attribute`, `${study}/json`],
    phi: [`${image}/phi`],
  }
}

const ask = async (member: Member, address: string) => {
  const reply = await fetch(`${address}?sid=${member.sid}`)
  expect([address, reply.status]).toEqual([address, 200])
  return (await reply.json()) as unknown
}

test('a header of a hundred thousand items is told whole, by every call', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const large = await upload(member, [{ tag: references, vr: 'SQ', value: manyItems() }])
  for (const address of large.model) {
    const [told] = [await ask(member, address)].flat() as Record<string, { vr: string; Value?: unknown[] }>[]
    const items = told?.['00081140']?.Value
    expect([address, items?.length, items?.at(-1)]).toEqual([
      address,
      ITEMS,
      { '00080105': { vr: 'SH', Value: ['ABCD'] } },
    ])
    expect(told?.['00100010']?.Value).toEqual([{ Alphabetic: 'Made^Up' }])
    expect(Object.keys(told ?? {})).toContain('7FE00010')
  }
  for (const address of large.lists) {
    const [told] = [await ask(member, address)].flat() as { tags: { name: string; vr: string; value: string }[] }[]
    expect(told?.tags).toContainEqual(expect.objectContaining({ name: 'PatientName', value: 'Made^Up' }))
    expect(told?.tags).toContainEqual(expect.objectContaining({ name: 'ReferencedImageSequence', vr: 'SQ', value: '' }))
  }
  for (const address of large.phi) expect(await ask(member, address)).toMatchObject({ patient_name: 'Made^Up' })
})

test('while a large header is told, everybody else is answered', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const large = await upload(member, [{ tag: references, vr: 'SQ', value: manyItems() }])
  const small = await upload(member, [])
  const { render } = storage.services
  const tell = render.headerJson
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  let entered = 0
  const held = vi.spyOn(render, 'headerJson').mockImplementation(async (...request) => {
    entered += 1
    await gate
    return tell(...request)
  })
  try {
    const addresses = Object.values(large).flat()
    let finished = 0
    const asked = addresses.map((address) => ask(member, address).then(() => (finished += 1)))
    await vi.waitFor(() => expect(entered).toBe(addresses.length), { timeout: 30_000 })
    for (const address of Object.values(small).flat()) await ask(member, address)
    expect([entered, finished]).toEqual([addresses.length, 0])
    openGate()
    await Promise.all(asked)
    expect(finished).toBe(addresses.length)
  } finally {
    openGate()
    held.mockRestore()
  }
})

test('a large header that is damaged, or too large for its thread, costs no other image its own', async () => {
  const member = await storage.addMember(['study_upload', 'study_view'])
  const large = await upload(member, [{ tag: references, vr: 'SQ', value: manyItems() }])
  const { render } = storage.services
  for (const fault of ['damaged', 'crashed', 'timedOut'] as const) {
    const failing = vi.spyOn(render, 'headerJson').mockRejectedValue(new RenderError(fault, 'It cannot be told'))
    try {
      for (const address of large.model.slice(0, 1)) {
        const [told] = (await ask(member, address)) as Record<string, unknown>[]
        expect(Object.keys(told ?? {}).sort()).toEqual(['00080016', '00080018', '0020000D', '0020000E'])
      }
      const [one = '', , study = ''] = large.lists
      expect((await fetch(`${one}?sid=${member.sid}`)).status).toBe(406)
      expect(await ask(member, study)).toMatchObject([{ tags: [], error: expect.any(String) }])
    } finally {
      failing.mockRestore()
    }
  }
})
