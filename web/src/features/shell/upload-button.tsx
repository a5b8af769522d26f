import { Button, Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { megabytesOf } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { useUploadProgress } from '../../state/upload-progress.ts'
import { IconUpload } from '../../ui/icons.ts'
import style from './shell.module.css'

const labels = { idle: 'nav.upload', preparing: 'nav.preparing', uploading: 'nav.uploading' } as const

/** SHELL-07, SHELL-08: the way to the wizard, and how far a running upload is. */
export function UploadButton() {
  const { status, uploadedBytes, totalBytes, percent, wait } = useUploadProgress()
  const label = t(labels[status])
  return (
    <div>
      <Button fullWidth leftSection={<IconUpload size={15} />} component={Link} to="/study/upload">
        {label}
      </Button>
      {status === 'uploading' && (
        <>
          <Progress value={percent} size={4} mt={5} aria-label={label} transitionDuration={0} />
          <div className={style.progress}>
            <span>{t('nav.progress', megabytesOf(uploadedBytes, totalBytes))}</span>
            <span>{t('nav.percent', { percent })}</span>
          </div>
        </>
      )}
      {status !== 'idle' && (
        <div className={style.progress} role="status">
          {wait && t(`nav.uploadWait.${wait}`)}
        </div>
      )}
    </div>
  )
}
