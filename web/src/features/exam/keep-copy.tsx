import { type CopyRefusal, studyDuplicate } from '@hilum/contract/calls/study-duplicate'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { useKeepCopy } from '../../queries/shares.ts'
import { mayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { ActFailure } from './act-failure.tsx'
import style from './share.module.css'

/** Makes the images of a received study one's own, so that they stay when sharing ends. */
export function KeepCopy({ study, hasCopy, refusal }: { study: Study; hasCopy: boolean; refusal: CopyRefusal | '' }) {
  const copying = useKeepCopy(study)
  const isReceiving = study.arrival === 'receiving'
  if (copying.isSuccess) return <Banner tone="completed">{t('share.kept')}</Banner>
  if (hasCopy) return <p className={style.note}>{t('share.hasCopy')}</p>
  if (!mayCall(studyDuplicate, study.permissions)) return null
  if (refusal) return <p className={style.note}>{t(`share.keepRefused.${refusal}`)}</p>
  return (
    <>
      {copying.isError && (
        <ActFailure text={t('share.keepFailed')} failure={copying.error} onRetry={() => copying.mutate()} />
      )}
      <div className={style.actions}>
        <Button
          variant="default"
          size="xs"
          disabled={isReceiving}
          loading={copying.isPending}
          onClick={() => copying.mutate()}
        >
          {t('share.keep')}
        </Button>
        <span className={style.note}>{t(isReceiving ? 'share.keepLater' : 'share.keepText')}</span>
      </div>
    </>
  )
}
