import { Select } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './upload.module.css'
import type { UploadDestination } from './upload-job.ts'
import { chooseDestination } from './wizard-actions.ts'

interface Props {
  destination: UploadDestination | undefined
  destinations: readonly UploadDestination[]
}

/** Step 0: the group that the exams go to (UPLOAD-02). */
export function DestinationStep({ destination, destinations }: Props) {
  const handleChoose = (groupId: string | null) =>
    chooseDestination(destinations.find((one) => one.groupId === groupId))
  return (
    <div className={style.narrow}>
      <h2 tabIndex={-1}>{t('upload.destination.title')}</h2>
      {destinations.length === 0 ? (
        <Banner tone="neutral">{t('upload.destination.none')}</Banner>
      ) : (
        <Select
          size="sm"
          label={t('upload.destination.label')}
          description={t('upload.destination.hint')}
          placeholder={t('upload.destination.placeholder')}
          data={destinations.map(({ groupId, name }) => ({ value: groupId, label: name }))}
          value={destination?.groupId ?? null}
          onChange={handleChoose}
          searchable={destinations.length > 8}
          allowDeselect={false}
          maxDropdownHeight={300}
        />
      )}
    </div>
  )
}
