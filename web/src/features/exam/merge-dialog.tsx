import '@mantine/core/styles/Radio.layer.css'
import type { RelatedStudy } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, type DateFormat } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { mergeable, relatedStudiesQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { type ChosenImages, namesOfChosen } from './chosen-images.ts'
import { MergeForm } from './merge-form.tsx'
import { MergedSeries } from './merged-series.tsx'
import style from './separate.module.css'

/** Merges an exam with another one of the same patient and place: which one, what moves, and which of both takes it. */
export function MergeDialog({ study, onClose }: { study: Study; onClose: () => void }) {
  const { data, error, refetch, isFetching } = useQuery(relatedStudiesQuery(study))
  const { dateFormat } = usePreferences()
  const [other, setOther] = useState('')
  const [stays, setStays] = useState<'this' | 'other'>('this')
  const [isPart, setPart] = useState(false)
  // outlives the form, which is made anew for each pair
  const [reason, setReason] = useState('')
  const [images, setImages] = useState<ChosenImages>(new Map())
  const here = mergeable(study, data?.related ?? [])
  const chosen = here.length === 1 ? (here[0]?.study.uuid ?? '') : other
  const found = here.find(({ study: one }) => one.uuid === chosen)
  const pair = stays === 'this' ? { stays: study.uuid, moves: chosen } : { stays: chosen, moves: study.uuid }
  const moving = stays === 'this' ? found?.study : study
  // chosen images are of one exam: with another one they are forgotten
  const choose = (change: () => void) => {
    setImages(new Map())
    change()
  }
  return (
    <Dialog title={t('merge.title')} closeLabel={t('button.close')} onClose={onClose}>
      <div className={style.steps}>
        {error && !data && (
          <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
            {t('merge.readFailed')}
          </FailedBanner>
        )}
        {!error && !data && <LoadingState label={t('merge.reading')} />}
        {data && here.length === 0 && <p className={style.note}>{t('merge.none')}</p>}
        {here.length > 1 && (
          <Radio.Group label={t('merge.which')} value={chosen} onChange={(value) => choose(() => setOther(value))}>
            <div className={style.choices}>
              {here.map((one) => (
                <Radio
                  key={one.study.uuid}
                  value={one.study.uuid ?? ''}
                  label={examText(one.study, dateFormat)}
                  description={factsOf(one)}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        {data?.more === 1 && <p className={style.note}>{t('merge.more')}</p>}
        {found && (
          <Radio.Group
            label={t('merge.what')}
            value={isPart ? 'part' : 'whole'}
            onChange={(value) => setPart(value === 'part')}
          >
            <div className={style.choices}>
              <Radio value="whole" label={t('merge.whole')} />
              <Radio value="part" label={t('merge.part')} />
            </div>
          </Radio.Group>
        )}
        {found && (
          <Radio.Group
            label={t(isPart ? 'merge.takes' : 'merge.stays')}
            description={t(isPart ? 'merge.takesText' : 'merge.staysText')}
            value={stays}
            onChange={(value) => choose(() => setStays(value === 'other' ? 'other' : 'this'))}
          >
            <div className={style.choices}>
              <Radio value="this" label={t('merge.staysThis')} description={examText(study, dateFormat)} />
              <Radio value="other" label={t('merge.staysOther')} description={examText(found.study, dateFormat)} />
            </div>
          </Radio.Group>
        )}
        {moving && isPart && <MergedSeries study={moving} chosen={images} onChange={setImages} />}
        {found ? (
          <MergeForm
            key={`${pair.stays} ${pair.moves}`}
            pair={pair}
            choice={isPart ? namesOfChosen(images) : undefined}
            reason={reason}
            onReason={setReason}
            onClose={onClose}
          />
        ) : (
          <div className={style.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('button.close')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

function examText(study: Partial<Study>, dateFormat: DateFormat): string {
  const facts = [
    study.modality?.replaceAll('\\', '/'),
    study.study_description,
    formatDate(study.study_date, dateFormat),
    t('summary.images', { count: study.image_count ?? 0 }),
  ]
  return facts.filter(Boolean).join(' · ')
}

function factsOf({ study, verdict }: RelatedStudy): string {
  const accession = study.accession_number ? t('merge.accession', { accession: study.accession_number }) : ''
  return [t(`identity.verdict.${verdict}`), accession].filter(Boolean).join(' · ')
}
