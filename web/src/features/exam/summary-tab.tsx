import '@mantine/core/styles/Accordion.layer.css'
import type { Study } from '@hilum/contract/entities/study'
import { Accordion } from '@mantine/core'
import { type ReactNode, useDeferredValue } from 'react'
import { t } from '../../labels/label.ts'
import { fieldsOn } from '../../fields/custom-field-text.ts'
import { CustomFields } from './custom-fields.tsx'
import { DemographicTable } from './demographic-table.tsx'
import style from './exam-panel.module.css'
import { HistoryTable } from './history-table.tsx'
import { ImagesElsewhere } from './images-elsewhere.tsx'
import { ManualRoutes } from './manual-routes.tsx'
import { MrnHolders } from './mrn-holders.tsx'
import { RelatedStudies } from './related-studies.tsx'
import { SeriesThumbnails } from './series-thumbnails.tsx'
import { StudyTags } from './study-tags.tsx'
import { DemographicFacts, Information } from './summary-facts.tsx'

/**
 * SUMMARY-01: thumbnails, then who, what and what happened. The sections come in a second step, so that neither keeps
 * the browser from clicks and keys for long.
 */
export function SummaryTab({ study }: { study: Study }) {
  const isSecondStep = useDeferredValue(true, false)
  return (
    <div className={style.content}>
      <MrnHolders study={study} />
      <ImagesElsewhere study={study} />
      <StudyTags study={study} />
      <SeriesThumbnails study={study} />
      {isSecondStep && <Sections study={study} />}
    </div>
  )
}

function Sections({ study }: { study: Study }) {
  const fields = fieldsOn(study.customfields, 'summary')
  return (
    <Accordion
      multiple
      defaultValue={['demographics', 'information', 'fields', 'related', 'history', 'routes']}
      transitionDuration={0}
      order={3}
      classNames={{
        item: style.item,
        control: style.control,
        label: style.label,
        content: style.accordionContent,
      }}
    >
      <Section value="demographics" title={t('summary.demographics')}>
        <DemographicFacts study={study} />
        {study.nomination && <DemographicTable study={study} />}
      </Section>
      <Section value="information" title={t('summary.information')}>
        <Information study={study} />
      </Section>
      {fields.length > 0 && (
        <Section value="fields" title={t('summary.customFields')}>
          <CustomFields study={study} fields={fields} page="summary" />
        </Section>
      )}
      <Section value="related" title={t('summary.related')}>
        <RelatedStudies study={study} />
      </Section>
      {study.routes && study.routes.length > 0 && (
        <Section value="routes" title={t('routes.title')}>
          <ManualRoutes study={study} routes={study.routes} />
        </Section>
      )}
      <Section value="history" title={t('summary.history')}>
        <HistoryTable study={study} />
      </Section>
    </Accordion>
  )
}

function Section({ value, title, children }: { value: string; title: string; children: ReactNode }) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  )
}
