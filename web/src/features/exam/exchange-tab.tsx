import { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { accessQuery } from '../../queries/shares.ts'
import { mayCall } from '../../session/use-may.ts'
import { fieldsOn } from '../../fields/custom-field-text.ts'
import { CustomFields } from './custom-fields.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { receivedText } from './share-words.ts'
import { DemographicFacts, Information } from './summary-facts.tsx'

/** EXCHANGE-01: the exam's fields, and the custom fields that say they belong on this page. */
export function ExchangeTab({ study }: { study: Study }) {
  const fields = fieldsOn(study.customfields, 'exchange')
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('exchange.title')}</h3>
      <Senders study={study} />
      {study.share_message && <FactList facts={[]} wide={[[t('field.shareMessage'), study.share_message]]} />}
      <DemographicFacts study={study} />
      <Information study={study} />
      <h3 className={panel.heading}>{t('exchange.fields')}</h3>
      {fields.length === 0 ? (
        <p className={panel.note}>{t('exchange.noFields')}</p>
      ) : (
        <CustomFields study={study} fields={fields} page="exchange" isWide />
      )}
    </div>
  )
}

/** By whom the exam came here. */
function Senders({ study }: { study: Study }) {
  const { data } = useQuery({ ...accessQuery(study.uuid), enabled: mayCall(studyShareAccess, study.permissions) })
  return data?.received.map((one) => (
    <p key={`${one.from_name} ${one.delivered_at}`} className={panel.note}>
      {receivedText(one)}
    </p>
  ))
}
