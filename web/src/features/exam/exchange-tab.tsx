import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { fieldsOn } from '../../fields/custom-field-text.ts'
import { CustomFields } from './custom-fields.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { DemographicFacts, Information } from './summary-facts.tsx'

/** EXCHANGE-01: the exam's fields, and the custom fields that say they belong on this page. */
export function ExchangeTab({ study }: { study: Study }) {
  const fields = fieldsOn(study.customfields, 'exchange')
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('exchange.title')}</h3>
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
