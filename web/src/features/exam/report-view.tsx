import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { formatDate, formatTime } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { reportContentQuery, reportPdfQuery, type StoredReport } from '../../queries/reports.ts'
import type { StudyPlace } from '../../queries/study-schema.ts'
import { useShownDates } from '../../session/preferences.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActFailure } from './act-failure.tsx'
import panel from './exam-panel.module.css'
import { FactList } from './fact-list.tsx'
import { readReport, type ReportContent, type ReportLine } from './report-content.ts'
import style from './report-view.module.css'
import { ShownBlob } from './shown-blob.tsx'
import { ShownFrame } from './shown-frame.tsx'

interface ReportViewProps {
  study: StudyPlace
  report: StoredReport
  name: string
  isQuiet: boolean
  onClose: () => void
}

/** A report among the objects of an exam, in place. */
export function ReportView({ study, report, name, isQuiet, onClose }: ReportViewProps) {
  return (
    <ShownFrame name={name} onClose={onClose} isQuiet={isQuiet}>
      {report.kind === 'structured' && <Structured study={study} report={report} />}
      {report.kind === 'pdf' && <Document study={study} report={report} name={name} />}
      {report.kind === 'clinical' && <Note>{t('reports.clinicalNote')}</Note>}
    </ShownFrame>
  )
}

function Document({ study, report, name }: Pick<ReportViewProps, 'study' | 'report' | 'name'>) {
  const { data, error, refetch } = useQuery(reportPdfQuery(study, report))
  if (!data && error instanceof ApiFailure && error.status === 415) return <Note>{t('reports.noDocument')}</Note>
  if (error && !data)
    return <ActFailure text={t('reports.readFailed')} failure={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingState label={t('loading')} />
  return data === 'tooLarge' ? <Note>{t('reports.tooLarge')}</Note> : <ShownBlob blob={data} name={name} />
}

function Structured({ study, report }: Pick<ReportViewProps, 'study' | 'report'>) {
  const { data, error, refetch } = useQuery({ ...reportContentQuery(study, report), select: readReport })
  if (error && !data)
    return <ActFailure text={t('reports.readFailed')} failure={error} onRetry={() => void refetch()} />
  return data ? <Content content={data} /> : <LoadingState label={t('loading')} />
}

function Note({ children }: { children: ReactNode }) {
  return <p className={`${panel.note} ${style.note}`}>{children}</p>
}

function Content({ content }: { content: ReportContent }) {
  const { dateFormat } = useShownDates()
  const written = [formatDate(content.date, dateFormat), formatTime(content.time)].filter(Boolean).join(' ')
  const patient = [content.patientName, content.patientId].filter(Boolean).join(' · ')
  return (
    <div className={style.report}>
      {content.title && <h4 className={style.title}>{content.title}</h4>}
      <FactList
        facts={[
          [t('reports.written'), written],
          [t('reports.state'), stateText(content)],
        ]}
        wide={[[t('reports.patient'), patient]]}
      />
      {content.lines.length === 0 && <p className={panel.note}>{t('reports.empty')}</p>}
      <Lines lines={content.lines} />
      {content.isCut && <p className={panel.note}>{t('reports.more')}</p>}
    </div>
  )
}

function stateText({ isComplete, isVerified, verifiers }: ReportContent): string {
  const verified =
    verifiers.length > 0 ? t('reports.verified', { who: verifiers.join(', ') }) : t('reports.verifiedBySomebody')
  return [
    isComplete === undefined ? '' : t(isComplete ? 'reports.complete' : 'reports.partial'),
    isVerified ? verified : t('reports.unverified'),
  ]
    .filter(Boolean)
    .join(' · ')
}

const indentPx = 14
/** More lines than these are drawn when they are asked for. */
const linesAtOnce = 500

function Lines({ lines }: { lines: readonly ReportLine[] }) {
  const [count, setCount] = useState(linesAtOnce)
  const rest = lines.length - count
  return (
    <>
      <ul className={style.lines}>
        {lines.slice(0, count).map((line) => (
          <li
            key={line.place}
            style={{ paddingInlineStart: Math.min(line.level, 8) * indentPx }}
            data-heading={line.value.kind === 'heading'}
          >
            {line.name && <span className={style.name}>{line.name}</span>}
            <ValueText value={line.value} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => setCount(count + 10 * linesAtOnce)}>
          {t('reports.rest', { count: Math.min(rest, 10 * linesAtOnce) })}
        </Button>
      )}
    </>
  )
}

const references = {
  image: 'reports.image',
  waveform: 'reports.waveform',
  object: 'reports.object',
  region: 'reports.region',
  span: 'reports.span',
  reference: 'reports.reference',
} as const

function ValueText({ value }: Pick<ReportLine, 'value'>) {
  const { dateFormat } = useShownDates()
  if (value.kind === 'heading') return null
  if (value.kind === 'prose') return <Prose values={value.values.filter(isSaid)} />
  if (value.kind === 'refers') return <span className={style.refers}>{t(references[value.to])}</span>
  if (value.kind === 'date') {
    return <span>{[formatDate(value.date, dateFormat), formatTime(value.time)].filter(Boolean).join(' ')}</span>
  }
  return <span className={style.text}>{value.text || t('field.none')}</span>
}

function isSaid(value: ReportLine['value']): boolean {
  return value.kind !== 'text' || value.text !== ''
}

/** Values as one sentence after the other; no blank stands before signs that end a sentence or a part of one. */
function Prose({ values }: { values: readonly ReportLine['value'][] }) {
  return values.map((value, at) => {
    const isJoined = at === 0 || (value.kind === 'text' && /^[.,;:!?)\]]/.test(value.text))
    return (
      // oxlint-disable-next-line react/no-array-index-key -- values of a report that is read once
      <Fragment key={at}>
        {!isJoined && ' '}
        <ValueText value={value} />
      </Fragment>
    )
  })
}
