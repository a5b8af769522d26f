import type { linkPriors, PriorWithheld } from '@hilum/contract/calls/link'
import { maxShownStudies } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { listEarlierExams, whyWithheld } from './earlier-exams.command.ts'
import { listLinkable } from './link.sql.ts'
import { mayGive } from './link-values.policy.ts'

export const priors: Handler<typeof linkPriors> = async ({ services, caller, on, fail }) => {
  const { record, membership } = on
  // a link shows every field of its exams, and so does this list
  if (!mayGive(membership, { download: false, attachments: false })) throw fail('NOT_PERMITTED')
  const { records, more } = await listEarlierExams(services.db, caller, record)
  const uuids = records.map(({ uuid }) => uuid)
  const facts = new Map(
    (await listLinkable(services.db, record.phi_namespace, uuids)).map((study) => [study.uuid, study]),
  )
  let shown = 1
  const found = uuids.flatMap((uuid) => {
    const study = facts.get(uuid)
    if (!study) return []
    const { study_date, modality, study_description } = study
    const withheld: PriorWithheld | '' = whyWithheld(study) ?? (shown === maxShownStudies ? 'too_many' : '')
    if (withheld === '') shown += 1
    return [{ uuid, study_date, modality, study_description, withheld }]
  })
  return { priors: found, more: more ? 1 : 0 }
}
