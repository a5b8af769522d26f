import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatDate, formatStamp } from '../../../format/dates.ts'
import { formatCount } from '../../../format/file-size.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { type AccountAuditEvent, actText, type PatientQuestion, type PatientReport } from '../../../queries/audit.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { DatedText } from '../../../ui/dated-text.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { IconDownload, IconFileText } from '../../../ui/icons.ts'
import table from '../../../ui/row-table.module.css'
import { saveFile } from '../../../ui/save-file.ts'
import style from './audit.module.css'
import { auditGridColumns, WithAsides } from './audit-columns.tsx'
import { auditTable } from './audit-csv.ts'
import { accessInWords } from './event-words.ts'

/** The report: whom it is about, a line for each person, and each entry. On paper it stands alone. */
export function AccessReport({ report, question }: { report: PatientReport; question: PatientQuestion }) {
  const { user } = useEstablished()
  const { dateFormat, timeZone } = usePreferences()
  const [madeAt] = useState(() => new Date().toISOString())
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const { events, page } = report
  const patients = report.patients.filter(({ issuer }) => question.issuer === undefined || issuer === question.issuer)
  return (
    <article className={style.report} aria-labelledby="access-report">
      <h3 id="access-report" className={style.title}>
        {t('audit.patientTitle')}
      </h3>
      {patients.map((one) => (
        <p key={one.issuer} className={style.lead}>
          {[
            nameText(one.patient_name),
            formatDate(one.patient_birth_date, dateFormat),
            `${t('audit.mrn')} ${question.mrn}`,
            one.issuer,
            t('audit.patientExams', { count: one.study_count }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      ))}
      {report.earlier.map((one) => (
        <p key={`${one.patientid} ${one.issuer}`} className={style.lead}>
          {t('audit.patientEarlier', {
            mrn: question.mrn,
            now: [nameText(one.patient_name), `${t('audit.mrn')} ${one.patientid || t('field.none')}`, one.issuer]
              .filter(Boolean)
              .join(' · '),
            exams: t('audit.patientExams', { count: one.study_count }),
          })}
        </p>
      ))}
      <p className={style.aside}>{t('audit.patientMade', { when: stamp(madeAt), who: user.name })}</p>
      <div className={style.bar}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
          onClick={() => saveFile(t('audit.patientCsv'), auditTable(events))}
        >
          {t('audit.csv')}
        </Button>
        <Button variant="default" size="xs" leftSection={<IconFileText size={15} />} onClick={() => globalThis.print()}>
          {t('audit.print')}
        </Button>
      </div>
      {page.more === 1 && <Banner tone="priority">{t('audit.patientCut', { count: events.length })}</Banner>}
      {events.length === 0 ? (
        <p role="status">{t('audit.patientNobody')}</p>
      ) : (
        <>
          <h4 className={style.subtitle}>{t('audit.patientPeople')}</h4>
          <PeopleTable events={events} stamp={stamp} />
          <h4 className={style.subtitle}>{t('audit.patientEach')}</h4>
          <EntryTable events={events} />
        </>
      )}
    </article>
  )
}

function PeopleTable({ events, stamp }: { events: readonly AccountAuditEvent[]; stamp: (time: string) => string }) {
  // newest first: the first of a person's entries is the last in time
  const people = [...Map.groupBy(events, (event) => accessInWords(event).key)]
  return (
    <table className={table.table} aria-label={t('audit.patientPeople')}>
      <thead>
        <tr>
          <th scope="col">{t('audit.who')}</th>
          <th scope="col">{t('audit.what')}</th>
          <th scope="col" data-number>
            {t('audit.patientTimes')}
          </th>
          <th scope="col">{t('audit.patientFirst')}</th>
          <th scope="col">{t('audit.patientLast')}</th>
        </tr>
      </thead>
      <tbody>
        {people.map(([key, entries]) => (
          <tr key={key}>
            <th scope="row">{entries[0] && <AccessName event={entries[0]} />}</th>
            <td>{[...new Set(entries.map((one) => actText(one.action)))].join(', ')}</td>
            <td data-number>{formatCount(entries.length)}</td>
            <td>
              <DatedText>{stamp(entries.at(-1)?.when ?? '')}</DatedText>
            </td>
            <td>
              <DatedText>{stamp(entries[0]?.when ?? '')}</DatedText>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AccessName({ event }: { event: AccountAuditEvent }) {
  const { who, asides } = accessInWords(event)
  return <WithAsides text={who} asides={[asides.join(' · ')]} />
}

function EntryTable({ events }: { events: readonly AccountAuditEvent[] }) {
  const { dateFormat, timeZone } = usePreferences()
  const columns = auditGridColumns(dateFormat, timeZone)
  return (
    <table className={table.table} aria-label={t('audit.patientEach')}>
      <thead>
        <tr>
          {columns.map(({ key, title }) => (
            <th key={key} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.uuid}>
            {columns.map(({ key, cell }) => (
              <td key={key}>{cell(event)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
