import { rulesAfterSeparationMinutes } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { type LabelKey, t } from '../../labels/label.ts'
import type { MergePreview } from '../../queries/study-merge.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import acts from './acts.module.css'
import { comparedFields } from './demographic-table.tsx'
import style from './separate.module.css'
import { mergeObstacleText } from './separation-words.ts'
import { shownValue } from './shown-value.ts'

interface MergePreviewViewProps {
  preview: MergePreview
  isReading: boolean
  onReadAgain: () => void
}

/** The exam whose images would move beside the one that stays, whom that concerns, and what is in the way. */
export function MergePreviewView({ preview, isReading, onReadAgain }: MergePreviewViewProps) {
  const { moves, stays, verdict } = preview
  const isBlocked = moves.obstacles.length + stays.obstacles.length > 0
  return (
    <>
      <SidesTable moves={moves} stays={stays} isPart={preview.rest_images > 0} />
      {isBlocked ? (
        <Banner
          tone="priority"
          action={
            <Button variant="default" size="compact-xs" loading={isReading} onClick={onReadAgain}>
              {t('split.again')}
            </Button>
          }
        >
          {t('merge.obstacles')}
          <ul className={acts.list}>
            {moves.obstacles.map((one) => (
              <li key={one}>
                {one === 'other-patient'
                  ? mergeObstacleText(one)
                  : t('merge.obstacleMoves', { why: mergeObstacleText(one) })}
              </li>
            ))}
            {stays.obstacles.map((one) => (
              <li key={one}>{t('merge.obstacleStays', { why: mergeObstacleText(one) })}</li>
            ))}
          </ul>
        </Banner>
      ) : (
        <>
          {verdict === 'likely' && <Banner tone="priority">{t('merge.verdict.likely')}</Banner>}
          <Reach preview={preview} />
        </>
      )}
    </>
  )
}

type Side = MergePreview['moves']

function SidesTable({ moves, stays, isPart }: { moves: Side; stays: Side; isPart: boolean }) {
  const { dateFormat } = usePreferences()
  const amount = ({ images, series }: Side) =>
    t('split.imagesIn', { images: t('summary.images', { count: images }), count: series })
  const fields = [...comparedFields, ['study_date', 'field.studyDate'] as const]
  return (
    <table className={style.sides} aria-label={t('merge.preview')}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t(isPart ? 'merge.movesPart' : 'merge.moves')}</th>
          <th scope="col">{t('merge.stayed')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t('field.images')}</th>
          <td>{amount(moves)}</td>
          <td>{amount(stays)}</td>
        </tr>
        {fields.map(([field, label]) => (
          <tr key={field}>
            <th scope="row">{t(label)}</th>
            <td data-other={moves[field] !== stays[field]}>{shownValue(field, moves[field], dateFormat)}</td>
            <td>{shownValue(field, stays[field], dateFormat)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const examLabels = {
  accession_number: 'field.accession',
  study_description: 'field.description',
  study_date: 'field.studyDate',
  study_time: 'field.studyTime',
  referring_physician: 'field.referring',
  modality: 'field.modality',
} as const satisfies Record<MergePreview['rest_shows'][number]['field'], LabelKey>

function Reach({ preview }: { preview: MergePreview }) {
  const { moves, stays, renamed_images: renamed, rest_images: rest, parted_series: parted, rest_shows: shown } = preview
  const { dateFormat } = usePreferences()
  const part = rest > 0 ? 'Part' : ''
  const copies = moves.reach.copies + stays.reach.copies
  const lines = [
    moves.reach.places > 0 && t(`merge.reach.movesPlaces${part}`, { count: moves.reach.places }),
    stays.reach.places > 0 && t('merge.reach.staysPlaces', { count: stays.reach.places }),
    moves.reach.links > 0 && t(`merge.reach.movesLinks${part}`, { count: moves.reach.links }),
    stays.reach.links > 0 && t('merge.reach.staysLinks', { count: stays.reach.links }),
    copies > 0 && t('merge.reach.copies', { count: copies }),
    moves.reach.pushed_to.length > 0 && t('merge.reach.movesPushed', { names: moves.reach.pushed_to.join(', ') }),
    stays.reach.pushed_to.length > 0 && t('merge.reach.staysPushed', { names: stays.reach.pushed_to.join(', ') }),
  ].filter((line) => line !== false)
  return (
    <section className={style.reach} aria-label={t('split.reach')}>
      <h3>{t('split.reach')}</h3>
      <ul className={acts.list}>
        {lines.length === 0 && <li>{t('merge.reach.nobody')}</li>}
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{t('merge.reach.rules', { minutes: rulesAfterSeparationMinutes })}</li>
        {rest > 0 && <li>{t('merge.rest', { count: rest })}</li>}
        {shown.length > 0 && (
          <li>
            {t('merge.restShows')}
            <ul className={acts.list}>
              {shown.map(({ field, before, after }) => (
                <li key={field}>
                  {t('history.change', {
                    field: t(examLabels[field]),
                    before: shownValue(field, before, dateFormat),
                    after: shownValue(field, after, dateFormat),
                  })}
                </li>
              ))}
            </ul>
          </li>
        )}
        {parted > 0 && <li>{t('merge.parted', { count: parted })}</li>}
        {renamed > 0 && <li>{t('merge.renamed', { count: renamed })}</li>}
        {moves.attachments > 0 && <li>{t('merge.attachments', { count: moves.attachments })}</li>}
      </ul>
    </section>
  )
}
