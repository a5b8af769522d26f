import { t } from '../../labels/label.ts'
import { clashSentences } from './clash-notes.tsx'
import type { ExamMarks } from './exam-rows.ts'
import { findHeldClashes, listQuestions } from './held-mrns.ts'
import { findRowClashes, mrnOf } from './mrn-rules.ts'
import { recordText } from './record-text.ts'
import { isRefused } from './confirm-rules.ts'
import { findRetracted } from './retracted-rules.ts'
import type { PlannedPatient } from './upload-plan.ts'
import type { UploadState } from './upload-store.ts'

type Facts = Pick<UploadState, 'destination' | 'mrns' | 'onePatient' | 'held' | 'retracted'>

/** Clashes that the confirm step will ask about, as far as the destination was asked. */
export function findExamMarks(patients: readonly PlannedPatient[], facts: Facts): ExamMarks {
  const { destination, held } = facts
  const clashes = [
    ...findRowClashes(patients, facts).flatMap((clash) => clash.rows.map((row) => ({ row, clash }))),
    ...findHeldClashes(listQuestions(destination?.namespaceId ?? '', patients, facts), held).map((clash) => ({
      row: clash.row,
      clash,
    })),
  ]
  const marked = new Map<string, { isDifferent: boolean; sentences: string[] }>()
  const studies = new Map<string, ExamMarks['studies'] extends ReadonlyMap<string, infer One> ? One : never>()
  for (const { row, clash } of clashes) {
    if (!('rows' in clash)) {
      for (const record of clash.records) {
        studies.set(record.study_uid, { status: 'other', sentence: recordText(record, row) })
      }
    }
    const sentences = clashSentences(clash, row, mrnOf(row, patients, facts)).filter(
      (sentence) => 'rows' in clash || !clash.records.some((record) => recordText(record, row) === sentence),
    )
    if (sentences.length === 0) continue
    const known = marked.get(row.key) ?? { isDifferent: false, sentences: [] }
    const isDifferent =
      isRefused(clash) || (!('rows' in clash) && clash.holders.some((holder) => holder.verdict === 'different'))
    marked.set(row.key, {
      isDifferent: known.isDifferent || isDifferent,
      sentences: [...new Set([...known.sentences, ...sentences])],
    })
  }
  for (const one of findRetracted(patients, facts)) {
    if (!studies.has(one.studyUid)) {
      // of a copy without names nobody is named
      const sentence = one.byName
        ? t('upload.select.retracted', { who: one.byName })
        : t('upload.select.retractedUntold')
      studies.set(one.studyUid, { status: 'retracted', sentence })
    }
  }
  return { patients: marked, studies }
}
