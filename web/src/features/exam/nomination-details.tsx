import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { Nomination } from '@hilum/contract/entities/study'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldLabel, fieldText } from '../../fields/custom-field-text.ts'
import { commitmentText } from './commitment-text.ts'
import { rejectionCodeText } from './rejection-code-text.ts'
import { FactList } from './fact-list.tsx'

interface NominationDetailsProps {
  nomination: Nomination
  /** Custom fields by which the answers are named. */
  fields: readonly CustomField[]
  onClose: () => void
}

/** The nominator and the time, the answers of the form, and the decision. */
export function NominationDetails({ nomination, fields, onClose }: NominationDetailsProps) {
  const facts = useNominationFacts(nomination, fields)
  return (
    <Dialog title={t('nominate.detailsTitle')} closeLabel={t('button.close')} onClose={onClose}>
      <FactList facts={facts} />
    </Dialog>
  )
}

/**
 * The same as rows of names and values.
 * @param omitsOutcome the outcome stands beside them, in `NominationStatus`
 */
export function useNominationFacts(
  nomination: Nomination,
  fields: readonly CustomField[],
  omitsOutcome = false,
): [string, string][] {
  const { dateFormat, timeZone } = usePreferences()
  const questions = [...fields, ...nomination.deleted_questions]
  const answers = Object.entries(nomination.answers).flatMap(([uuid, value]): [string, string][] => {
    const field = questions.find((one) => one.uuid === uuid)
    return field ? [[fieldLabel(field), fieldText({ ...field, value }, dateFormat)]] : []
  })
  const outcome: [string, string][] = [
    [t('nominate.outcome'), nomination.reason || nomination.status_reason],
    [t('nominate.reasonCode'), nomination.reason_code && rejectionCodeText(nomination.reason_code)],
    [t('nominate.commitment'), nomination.commitment ? commitmentText(nomination) : ''],
  ]
  const decision: [string, string][] = [
    [t('nominate.decidedBy'), nomination.decided_by_name],
    [t('nominate.destination'), nomination.destination_name],
    ...(omitsOutcome ? [] : outcome),
  ]
  return [
    [t('nominate.gatekeeper'), nomination.group_name],
    [t('nominate.from'), nomination.from_name],
    [t('nominate.submitted'), formatStamp(nomination.submitted_at, dateFormat, timeZone)],
    [t('nominate.submittedBy'), nomination.submitted_by_name],
    ...answers,
    ...decision.filter(([, value]) => value !== ''),
  ]
}
