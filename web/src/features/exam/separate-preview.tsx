import { rulesAfterSeparationMinutes } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { hasLabel, t } from '../../labels/label.ts'
import type { SplitPreview } from '../../queries/study-split.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import acts from './acts.module.css'
import { compareImagePatients } from './compare-patient.ts'
import { comparedFields } from './demographic-table.tsx'
import style from './separate.module.css'
import { obstacleText } from './separation-words.ts'
import { shownValue } from './shown-value.ts'

interface SeparatePreviewProps {
  preview: SplitPreview
  isReading: boolean
  onReadAgain: () => void
}

/** Images that would move beside those that would stay, whom that concerns, and what is in the way. */
export function SeparatePreview({ preview, isReading, onReadAgain }: SeparatePreviewProps) {
  const { obstacles, moves, stays, verdict } = preview
  if (obstacles.length > 0) {
    return (
      <Banner
        tone="priority"
        action={
          <Button variant="default" size="compact-xs" loading={isReading} onClick={onReadAgain}>
            {t('split.again')}
          </Button>
        }
      >
        {t('split.obstacles')}
        <ul className={acts.list}>
          {obstacles.map((obstacle) => (
            <li key={obstacle}>{obstacleText(obstacle)}</li>
          ))}
        </ul>
      </Banner>
    )
  }
  return (
    <>
      <SidesTable moves={moves} stays={stays} />
      {verdict === 'different' ? (
        <p className={style.note}>{t('split.verdict.different')}</p>
      ) : (
        stays.images > 0 && <Banner tone="priority">{t(`split.verdict.${verdict}`)}</Banner>
      )}
      {preview.moves_mixed === 1 && <Banner tone="priority">{t('split.movesMixed')}</Banner>}
      {stays.images === 0 && <Banner tone="priority">{t('split.nothingStays')}</Banner>}
      <Reach preview={preview} />
    </>
  )
}

/** The compared fields that make a patient; accession number and description are of the exam. */
const patientFields = comparedFields.slice(0, 4) as readonly (typeof comparedFields)[0 | 1 | 2 | 3][]

function SidesTable({ moves, stays }: Pick<SplitPreview, 'moves' | 'stays'>) {
  const { dateFormat } = usePreferences()
  const { reasons } = compareImagePatients(moves.patient, stays.patient)
  const meaning = (field: (typeof patientFields)[number][0]) => {
    const key = `identity.${reasons[field]}`
    return hasLabel(key) ? t(key as 'identity.name-same') : '' // all of them are without slots
  }
  const shown = ({ patient }: SplitPreview['moves'], field: (typeof patientFields)[number][0]) =>
    field === 'patientid' && patient.issuer && patient.patientid
      ? t('field.mrnIssued', { mrn: patient.patientid, issuer: patient.issuer })
      : shownValue(field, patient[field], dateFormat)
  const amount = ({ images, series }: SplitPreview['moves']) =>
    t('split.imagesIn', { images: t('summary.images', { count: images }), count: series })
  return (
    <table className={style.sides} aria-label={t('split.preview')}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('split.moves')}</th>
          <th scope="col">{t('split.stays')}</th>
          <th scope="col">{t('split.compared')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('field.images')}</th>
          <td>{amount(moves)}</td>
          <td>{amount(stays)}</td>
          <td />
        </tr>
        {patientFields.map(([field, label]) => (
          <tr key={field}>
            <th scope="row">{t(label)}</th>
            <td>{shown(moves, field)}</td>
            <td>{shown(stays, field)}</td>
            <td data-other={reasons[field].endsWith('-different')}>{meaning(field)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Reach({ preview }: { preview: SplitPreview }) {
  const { reach, references_lost: references, unread, stays_mixed: staysMixed } = preview
  const { places, copies, links, pushed_to: pushedTo } = reach
  const isNobody = places + copies + links + pushedTo.length === 0
  return (
    <section className={style.reach} aria-label={t('split.reach')}>
      <h3>{t('split.reach')}</h3>
      <ul className={acts.list}>
        {isNobody && <li>{t('split.reach.nobody')}</li>}
        {places > 0 && <li>{t('split.reach.places', { count: places })}</li>}
        {copies > 0 && <li>{t('split.reach.copies', { count: copies })}</li>}
        {links > 0 && <li>{t('split.reach.links', { count: links })}</li>}
        {pushedTo.length > 0 && <li>{t('split.reach.pushed', { names: pushedTo.join(', ') })}</li>}
        <li>{t('split.reach.rules', { minutes: rulesAfterSeparationMinutes })}</li>
        {references > 0 && <li>{t('split.references', { count: references })}</li>}
        {unread > 0 && <li>{t('split.unread', { count: unread })}</li>}
        {staysMixed === 1 && <li>{t('split.staysMixed')}</li>}
      </ul>
    </section>
  )
}
