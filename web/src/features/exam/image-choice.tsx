import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../labels/label.ts'
import type { StudyPlace } from '../../queries/study-schema.ts'
import { type ChosenImages, type OfferedSeries, withSeries } from './chosen-images.ts'
import style from './image-choice.module.css'
import { SingleImages } from './single-images.tsx'

interface ImageChoiceProps {
  legend: string
  study: StudyPlace & { image_count: number }
  series: readonly OfferedSeries[]
  chosen: ChosenImages
  onChange: (chosen: ChosenImages) => void
}

/** Chooses series of an exam, and on request single images of a series, each with its picture. */
export function ImageChoice({ legend, study, series, chosen, onChange }: ImageChoiceProps) {
  const [opened, setOpened] = useState('')
  const handleSeries = (one: OfferedSeries, isIn: boolean) => {
    // which images of a shared series go along is the server's word: no list shows it
    if (one.isShared) setOpened('')
    onChange(withSeries(chosen, one.uid, isIn ? 'all' : new Set()))
  }
  const handleOpen = (one: OfferedSeries) => {
    const isOpening = opened !== one.uid
    setOpened(isOpening ? one.uid : '')
    if (isOpening && one.isShared && chosen.get(one.uid) === 'all') onChange(withSeries(chosen, one.uid, new Set()))
  }
  return (
    <fieldset className={style.choice}>
      <legend>{legend}</legend>
      {series.map((one) => {
        const what = chosen.get(one.uid)
        const isPart = what !== undefined && what !== 'all'
        const amount = isPart
          ? t('choice.some', { chosen: what.size, images: t('summary.images', { count: one.images }) })
          : t('summary.images', { count: one.images })
        return (
          <div key={one.uid}>
            <div className={style.row}>
              <Checkbox
                label={`${one.name} · ${amount}`}
                checked={what === 'all'}
                indeterminate={isPart}
                onChange={(event) => handleSeries(one, event.currentTarget.checked)}
              />
              {(one.images > 1 || one.isShared) && (
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-expanded={opened === one.uid}
                  aria-label={t('choice.singleOf', { series: one.name })}
                  onClick={() => handleOpen(one)}
                >
                  {t('choice.single')}
                </Button>
              )}
            </div>
            {opened === one.uid && (
              <SingleImages
                study={study}
                series={one}
                chosen={what ?? new Set()}
                onChange={(next) => onChange(withSeries(chosen, one.uid, next))}
              />
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
