import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import type { BatchAct, BatchOutcome } from '../../queries/batch-acts.ts'
import type { ActMessage } from '../../state/act-messages.ts'
import { failureText } from './act-failure.tsx'

/** Outcome of an act on several studies: the failed ones each with its reason, the others counted, and the way back. */
export function tellBatch({ act, results, undo }: BatchOutcome): ActMessage[] {
  const failed = results.filter(({ failure }) => failure)
  const done = results.length - failed.length
  const messages: ActMessage[] = []
  if (failed.length > 0) {
    messages.push({
      tone: 'failed',
      text: t('batch.failed', { count: failed.length, all: results.length }),
      details: failed.map(({ study, failure }) =>
        t('delete.failedItem', {
          name: nameText(study.patient_name) || t('card.noName'),
          reason: failureText(failure),
        }),
      ),
      restorable: [],
    })
  }
  if (done > 0) {
    const takeBack = undo && (async () => (await undo()).every(({ failure }) => !failure))
    messages.push({ tone: 'completed', text: doneText(act, done), details: [], restorable: [], undo: takeBack })
  }
  return messages
}

function doneText(act: BatchAct, count: number): string {
  if (act.kind === 'star') return t(act.star === 1 ? 'batch.starred' : 'batch.unstarred', { count })
  if (act.kind === 'status') return t('batch.statusSet', { count, status: t(`work.${act.status}`) })
  return t(act.isAdded ? 'batch.tagged' : 'batch.untagged', { count, tag: act.tag })
}
