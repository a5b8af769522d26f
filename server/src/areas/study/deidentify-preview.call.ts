import type { studyDeidentifyPreview } from '@hilum/contract/calls/study-deidentify'
import { maxNamelessRecipient } from '@hilum/contract/limits'
import type { AttributeFate } from '@hilum/dicom/deidentify/deidentify-header'
import { type LeftOutReason, reasonToOmit } from '@hilum/dicom/deidentify/outgoing-images'
import { findEntry } from '@hilum/dicom/dictionary'
import { tagToHex } from '@hilum/dicom/tags'
import { listAttachments } from '../attachments/attachment.sql.ts'
import type { Handler } from '../handler.ts'
import { namelessImage } from '../nameless/nameless-image.command.ts'
import { openNamelessSource } from '../nameless/nameless-source.command.ts'
import { chooseSamples } from '../nameless/samples.ts'
import { listSeries } from '../storage/record-images.sql.ts'

const MAX_SHOWN_CHARS = 200

export const deidentifyPreview: Handler<typeof studyDeidentifyPreview> = async ({ services, input, on, fail }) => {
  if (input.recipient.length > maxNamelessRecipient) throw fail('INVALID_FIELD', { subtype: 'recipient' })
  const source = await openNamelessSource(services, on.record, input.recipient)
  if (!source) throw fail('NOT_READY')
  const fates = new Map<string, AttributeFate & { count: number }>()
  const texts = new Map<string, { keyword: string; text: string }>()
  const risky = new Set<string>()
  const leftOut = new Map<LeftOutReason, number>()
  const tell = (fate: AttributeFate) => {
    const { tag, before, after, isDescriptor } = fate
    if (isDescriptor) texts.set(`${tag} ${before}`, { keyword: keywordOf(tag), text: before })
    const known = fates.get(`${tag}`)
    if (known) known.count += 1
    else fates.set(`${tag}`, { tag, before: cut(before), after: cut(after), isDescriptor, count: 1 })
  }
  const chosen = { dates: input.dates, texts: [], isPixelsSeen: false }
  const { samples, unseen } = chooseSamples(source.images)
  for (const instance of source.images) {
    const isSample = samples.has(instance)
    const image = isSample ? await namelessImage(services.store, source, instance, chosen, tell) : undefined
    if (image?.kind === 'image' && image.mayHoldText) risky.add(instance.series_uid)
    const reason = image?.kind === 'leftOut' ? image.reason : reasonToOmit(instance.sop_class, instance.transfer_syntax)
    if (reason) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
    else if (unseen.has(instance)) risky.add(instance.series_uid)
  }
  const series = await listSeries(services.db, on.record)
  return {
    digest: source.digest,
    pseudonym: source.pseudonyms.pseudonym,
    days: input.dates === 'MOVED' ? source.pseudonyms.days : 0,
    image_count: source.images.length,
    attributes: [...fates.values()]
      .toSorted((a, b) => a.tag - b.tag)
      .map(({ tag, before, after, count }) => ({ tag: tagToHex(tag), keyword: keywordOf(tag), before, after, count })),
    texts: [...texts.values()],
    pixels: series
      .filter(({ series_uid }) => risky.has(series_uid))
      .map(({ series_uid, modality, image_count }) => ({ series_uid, modality, count: image_count })),
    left_out: [...leftOut].map(([reason, count]) => ({ reason, count })),
    attachments: (await listAttachments(services.db, on.record.phi_namespace, on.record.uuid)).length,
  }
}

function keywordOf(tag: number): string {
  return findEntry(tag)?.keyword ?? ''
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
}
