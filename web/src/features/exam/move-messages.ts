import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import type { MoveOutcome, MoveResult } from '../../queries/move-studies.ts'
import type { ActMessage } from '../../state/act-messages.ts'
import { deleteReason } from './delete-messages.ts'
import { shareReason } from './share-words.ts'

/** Outcome of a move: exams that stayed and those in both places, each with the reason, the others counted, and the way back. */
export function tellMoved({ group: { name: group }, results, undo }: MoveOutcome): ActMessage[] {
  const moved = results.filter(({ at }) => at === 'group')
  const count = moved.length
  const here = results.filter(({ at }) => at === 'here')
  const both = results.filter(({ at }) => at === 'both')
  const failed = { tone: 'failed', restorable: [] } as const
  return [
    here.length > 0 && { ...failed, text: t('move.failed', { count: here.length }), details: here.map(tellOne) },
    both.length > 0 && { ...failed, text: t('move.both', { count: both.length, group }), details: both.map(tellOne) },
    count > 0 && {
      tone: 'completed' as const,
      text: t('move.done', { count, group }),
      details: namesOf(moved),
      restorable: [],
      undo,
    },
  ].filter((message) => message !== false)
}

/** Exams that a message names; the others are counted. */
const namedExams = 5

function namesOf(moved: readonly MoveResult[]): string[] {
  const named = moved
    .slice(0, namedExams)
    .map(({ study }) => [nameText(study.patient_name) || t('card.noName'), study.study_description])
  const count = moved.length - namedExams
  return [
    ...named.map((facts) => facts.filter(Boolean).join(' · ')),
    ...(count > 0 ? [t('delete.others', { count })] : []),
  ]
}

function tellOne(result: MoveResult): string {
  return t('delete.failedItem', {
    name: nameText(result.study.patient_name) || t('card.noName'),
    reason: reasonOf(result),
  })
}

function reasonOf(result: MoveResult): string {
  if (result.at === 'here') {
    if (result.step === 'look') return t(`move.stands.${result.stands}`)
    return (result.step === 'share' ? shareReason : deleteReason)(result.failure)
  }
  if (result.at === 'group') return ''
  return typeof result.reason === 'string' ? t(`move.both.${result.reason}`) : deleteReason(result.reason)
}
