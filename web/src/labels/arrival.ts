import type { Study } from '@hilum/contract/entities/study'
import { t } from './label.ts'

/** How far a study that is still coming is. */
interface Arrival {
  kind: 'waiting' | 'receiving' | 'incomplete'
  /** In the few words of a card. */
  label: string
  /** As a sentence. */
  sentence: string
  /** 0–100 when the total is known. */
  percent?: number
}

/**
 * The progress of a study, for every place that tells of it; undefined when the study is whole. An announced total that is
 * smaller than the images shown, which may come from others too, is not told.
 */
export function arrivalOf(study: Pick<Study, 'arrival' | 'image_count' | 'expected_count'>): Arrival | undefined {
  const { arrival: kind, image_count: done, expected_count: announced } = study
  const total = announced && announced >= done ? announced : undefined
  if (kind === 'announced') {
    return { kind: 'waiting', label: t('card.waiting'), sentence: t('exam.banner.waiting') }
  }
  if (kind === 'incomplete') {
    const sentence = total ? t('exam.banner.incomplete', { done, total }) : t('exam.banner.incompleteUnknown', { done })
    return { kind, label: t('card.incomplete'), sentence }
  }
  if (kind !== 'receiving') return undefined
  if (!total)
    return { kind, label: t('card.receivingUnknown', { done }), sentence: t('exam.banner.receivingUnknown', { done }) }
  return {
    kind,
    label: t('card.receiving', { done, total }),
    sentence: t('exam.banner.receiving', { done, total }),
    percent: Math.floor((done / total) * 100),
  }
}
