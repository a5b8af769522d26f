import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { fieldLabel, fieldText, showsOn } from './custom-field-text.ts'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { Demographics, Information } from './summary-facts.tsx'

/** EXCHANGE-01: the exam's fields, and the custom fields that say they belong on this page. */
export function ExchangeTab({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const fields = study.customfields.filter((field) => showsOn(field, 'exchange'))
  return (
    <div className={panel.content}>
      <h3 className={panel.heading}>{t('exchange.title')}</h3>
      {study.share_message && <FactList facts={[]} wide={[[t('field.shareMessage'), study.share_message]]} />}
      <Demographics study={study} />
      <Information study={study} />
      <h3 className={panel.heading}>{t('exchange.fields')}</h3>
      {fields.length === 0 ? (
        <p className={panel.note}>{t('exchange.noFields')}</p>
      ) : (
        <FactList facts={[]} wide={fields.map((field) => [fieldLabel(field), fieldText(field, dateFormat)] as const)} />
      )}
    </div>
  )
}
