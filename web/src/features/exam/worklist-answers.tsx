import { hasUnreadCharacter } from '@hilum/dicom/text'
import { t } from '../../labels/label.ts'
import { nameText } from '../../format/person-name.ts'
import { criteriaRefusal } from '../../queries/criteria-refusal.ts'
import { type AskedSearch, type WorklistItem, useSearchAnswers, useTakeOrder } from '../../queries/retrieve.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import { readableName } from './chosen-exam.ts'
import type { ChosenExam } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import panel from './exam-panel.module.css'
import { ExamChoice } from './exam-choice.tsx'

interface WorklistAnswersProps {
  searches: readonly AskedSearch[]
  /** Orders that stand above already. */
  above: readonly ChosenExam[]
  onChoose: (chosen: ChosenExam) => void
}

/** The answers of the worklists that were asked, each by itself: one that hangs or refuses holds none of the others. */
export function WorklistAnswers({ searches, above, onChoose }: WorklistAnswersProps) {
  const answers = useSearchAnswers(searches)
  const take = useTakeOrder()
  const handleChoose = (searchId: string, step: WorklistItem) =>
    take.mutate(
      { searchId, item: step.item },
      { onSuccess: ({ uuid }) => onChoose({ ...examOfStep(step), orderId: uuid }) },
    )
  return (
    <>
      {take.isError && <Banner tone="failed">{t('process.takeFailed')}</Banner>}
      {searches.map(({ destinationId, name, uuid, failure }, index) => {
        const answer = answers[index]
        const { data } = answer ?? {}
        if (uuid === undefined || answer?.isError || data?.state === 'failed') {
          return (
            <Banner key={destinationId} tone="failed">
              {t('process.worklistFailed', { name })}
              {criteriaRefusal(failure) && <span className={style.reason}>{criteriaRefusal(failure)}</span>}
              {data?.message && <span className={style.reason}>{data.message}</span>}
            </Banner>
          )
        }
        if (!data || data.state === 'waiting')
          return <LoadingState key={destinationId} label={t('process.worklistAsked', { name })} />
        const fresh = data.orders.filter((step) => !above.some((one) => isAlike(one, examOfStep(step))))
        return (
          <section key={destinationId} aria-label={t('process.worklistOf', { name })}>
            <p className={panel.note} role="status">
              {worklistText(name, data.orders.length, data.more === 1)}
            </p>
            {data.orders.length > fresh.length && <p className={panel.note}>{t('process.worklistAbove')}</p>}
            {fresh.map((step) => (
              <ExamChoice
                key={step.item}
                chosen={examOfStep(step)}
                label={nameText(step.patient_name) || t('card.noName')}
                onChoose={() => handleChoose(uuid, step)}
              />
            ))}
          </section>
        )
      })}
    </>
  )
}

/** Whether an order of a worklist says of patient and exam just what one of ours says. */
function isAlike(ours: ChosenExam, theirs: ChosenExam): boolean {
  const isNamed = ours.patientid !== '' && ours.accession_number !== ''
  const isOfOther = ours.issuer !== '' && theirs.issuer !== '' && ours.issuer !== theirs.issuer
  return isNamed && !isOfOther && comparedFields.every(([field]) => ours[field] === theirs[field])
}

function worklistText(name: string, count: number, hasMore: boolean): string {
  if (count === 0) return t('process.worklistNone', { name })
  return t(hasMore ? 'process.worklistFirst' : 'process.worklistFound', { name, count })
}

function examOfStep(step: WorklistItem): ChosenExam {
  const { patient_name, patient_birth_date, patient_sex, patientid, issuer, accession_number } = step
  const description = step.requested_procedure_description || step.scheduled_procedure_step_description
  return {
    kind: 'order',
    ...readableName(patient_name, false),
    patient_birth_date,
    patient_sex,
    patientid,
    issuer,
    accession_number,
    study_description: hasUnreadCharacter(description) ? '' : description,
  }
}
