import { withoutHiddenSigns } from '@hilum/contract/hidden-signs'
import { pixelElements } from '@hilum/dicom/synthetic/study'
import { Tag } from '@hilum/dicom/tags'
import { newUid } from '@hilum/dicom/uid'
import { findValueFault } from '@hilum/dicom/value-rules'
import { writePart10 } from '@hilum/dicom/write-part10'
import { expect } from 'vitest'
import { callWell, type ListedStudy, listStudies } from './call.ts'

interface Filling {
  address: string
  /** Of somebody who may upload to the group and edit there. */
  sid: string
  adminSid: string
  texts: readonly string[]
  /** Where the studies go; it must hold none of modality OT. */
  group: string
}

export interface HostileStudies {
  /** One study for each text, which stands in every field of its image, the last sent first. */
  sent: readonly ListedStudy[]
  /** The first of them, edited since: each holds several texts in every field, so that few of them hold all. */
  edited: readonly ListedStudy[]
  /** The texts of each edited study. */
  chunks: readonly (readonly string[])[]
  /** The custom fields as `study/set` names them. */
  fields: readonly string[]
}

/** Puts texts wherever a file or a person can: images, edits, tags, custom fields, files, searches, one's own name. */
export async function fillWithHostileTexts(filling: Filling): Promise<HostileStudies> {
  const { address, sid, texts, group } = filling
  const ask = (path: string, input: Record<string, unknown> = {}) => callWell(address, path, { sid, ...input })
  const { namespaces } = await ask('user/namespace/list')
  const place = (namespaces as { name: string; uuid: string }[]).find(({ name }) => name === group)
  await stow(filling, place?.uuid ?? '')
  const sent = (await listStudies(address, sid)).filter(({ modality }) => modality === 'OT')
  const chunks = joinUpTo(950, texts)
  const edited = sent.slice(0, chunks.length)
  const fields = await defineFields(filling)
  await ask('user/set', { first: '<img src=x onerror=window.ran=1>', last: '"><script>window.ran=1</script>' })
  await bundle(
    filling,
    edited.flatMap(({ uuid }, at) => editsOf(uuid, chunks[at] ?? [], { texts, fields })),
  )
  await bundle(
    filling,
    typedOf(texts).map((name) => ({
      URL: '/filter/add',
      name: name.trim().slice(0, 200) || 'blank',
      type: 'Study',
      configuration: { web: { mrn: name } },
    })),
  )
  await Promise.all(edited.map((study, at) => attach(filling, study, chunks[at] ?? [])))
  return { sent, edited, chunks, fields }
}

/** Texts as people can type them: signs that nobody sees come by files alone. */
function typedOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map(withoutHiddenSigns))].filter(Boolean)
}

function joinUpTo(most: number, texts: readonly string[]): string[][] {
  const joined: string[][] = []
  for (const text of texts) {
    const last = joined.at(-1)
    if (last && last.join(' ').length + text.length < most) last.push(text)
    else joined.push([text])
  }
  return joined
}

/** Every text in every field of an image of its own, as a file brings it. */
async function stow({ address, sid, texts }: Filling, namespace: string): Promise<void> {
  const head = Buffer.from('--x\r\nContent-Type: application/dicom\r\n\r\n')
  const parts = texts.flatMap((text) => [head, makeImage(text), Buffer.from('\r\n')])
  const reply = await fetch(`${address}/dicomweb/${namespace}/studies`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sid}`,
      'content-type': 'multipart/related; type="application/dicom"; boundary=x',
    },
    body: Buffer.concat([...parts, Buffer.from('--x--')]),
  })
  expect(reply.status, await reply.text()).toBe(200)
}

function makeImage(text: string): Uint8Array {
  const value = text.slice(0, 400)
  return writePart10([
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: 'ISO_IR 192' },
    { tag: Tag.SOPClassUID, vr: 'UI', value: '1.2.840.10008.5.1.4.1.1.7' },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.Modality, vr: 'CS', value: 'OT' },
    { tag: Tag.PatientName, vr: 'PN', value },
    { tag: Tag.PatientID, vr: 'LO', value },
    { tag: Tag.AccessionNumber, vr: 'SH', value },
    { tag: Tag.ReferringPhysicianName, vr: 'PN', value },
    { tag: Tag.StudyDescription, vr: 'LO', value },
    { tag: Tag.SeriesDescription, vr: 'LO', value },
    { tag: Tag.StudyInstanceUID, vr: 'UI', value: newUid() },
    { tag: Tag.SeriesInstanceUID, vr: 'UI', value: newUid() },
    ...pixelElements(
      { rows: 4, columns: 4 },
      Uint8Array.from({ length: 16 }, (_none, at) => at * 16),
    ),
  ])
}

/** Calls of which every one must succeed, in one request. */
async function bundle({ address, sid }: Filling, items: readonly Record<string, unknown>[]): Promise<void> {
  const reply = await fetch(`${address}/api/v3/bundle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${sid}` },
    body: JSON.stringify(items),
  })
  const answers = (await reply.json()) as Record<string, unknown>[]
  expect(answers).toHaveLength(items.length)
  const failed = answers.map((one, at) => [one['HTTP_STATUS_CODE'], items[at], one])
  expect(failed.filter(([status]) => status !== '200')).toEqual([])
}

/** Custom fields whose names, hints and options are hostile as well. */
async function defineFields({ address, adminSid, texts: all }: Filling): Promise<string[]> {
  const texts = typedOf(all)
  const ask = (path: string, input: Record<string, unknown>) => callWell(address, path, { sid: adminSid, ...input })
  const { accounts } = await ask('account/list', {})
  const account = (accounts as { uuid: string }[])[0]?.uuid
  const options = texts.filter((text) => text.length < 80 && !text.includes(',') && text.trim() === text)
  const definitions = [
    { name: texts[0], type: 'text', options: { hint: texts[1], field_label: texts[2] } },
    { name: texts[3], type: 'memo', options: { hint: texts[4] } },
    { name: texts[5], type: 'select', options: { values: options, labels: options } },
    { name: texts[6], type: 'multiselect', options: { values: options.slice(0, 60) } },
  ]
  const fields: string[] = []
  for (const [at, definition] of definitions.entries()) {
    const shown = { display_order: at, ui_json: { show_on_pages: ['summary', 'exchange'] } }
    const { uuid } = await ask('customfield/add', { account_id: account, object: 'Study', ...definition, ...shown })
    fields.push(`customfield-${String(uuid)}`)
  }
  return fields
}

function editsOf(
  uuid: string,
  chunk: readonly string[],
  { texts: all, fields }: { texts: readonly string[]; fields: readonly string[] },
): Record<string, unknown>[] {
  const [typed, texts] = [typedOf(chunk), typedOf(all)]
  const text = typed.join(' ')
  const [line = '', memo = '', choice = '', choices = ''] = fields
  const tags = [...new Set(typed.map((one) => one.trim().slice(0, 90).toWellFormed()).filter(Boolean))]
  const short = texts.filter((one) => one.length < 80 && !one.includes(',') && one.trim() === one)
  return [
    {
      URL: '/study/set',
      study_id: uuid,
      patient_name: joinForVr(chunk, 'PN'),
      // A number of its own, since another person's is refused.
      patientid: joinForVr([uuid.slice(0, 8), ...chunk], 'LO'),
      accession_number: joinForVr(chunk, 'SH'),
      study_description: joinForVr(chunk, 'LO'),
      referring_physician: joinForVr(chunk, 'PN'),
      [line]: text,
      [memo]: `${text}\n${'m'.repeat(10_000 - text.length - 1)}`,
      [choice]: short[chunk.length] ?? '',
      [choices]: short.slice(0, 5).join(','),
    },
    { URL: '/study/audit', uuid, action: 'STUDY_VIEW', detail: text },
    ...tags.map((tag) => ({ URL: '/tag/add', object: 'Study', object_id: uuid, tag })),
  ]
}

/** As many of the texts as one value of the VR holds. */
function joinForVr(texts: readonly string[], vr: string): string {
  return texts.reduce((joined, text) => {
    const longer = joined ? `${joined} ${text}` : text
    return findValueFault(longer, vr) ? joined : longer
  }, '')
}

/** Files by the names of a chunk, as a client that is not ours sends them. */
async function attach({ address, sid }: Filling, study: ListedStudy, chunk: readonly string[]): Promise<void> {
  const path = `storage/study/${study.storage_namespace}/${study.study_uid}/attachment`
  for (const name of chunk) {
    const form = new FormData()
    form.append('data', new File(['<script>top.ran=1</script>'], `${name}.html`, { type: 'text/html' }))
    const reply = await fetch(`${address}/api/v3/${path}?phi_namespace=${study.phi_namespace}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sid}` },
      body: form,
    })
    expect(reply.status, name).toBeLessThan(300)
  }
}
