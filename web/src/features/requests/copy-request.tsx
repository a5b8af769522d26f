import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { IconCheck, IconCopy } from '../../ui/icons.ts'
import style from './requests.module.css'

/** LIST-20: copies the address of a request, and says so on the button itself. */
export function CopyRequest({ address }: { address: string }) {
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(address) })
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={copy.isSuccess ? <IconCheck size={13} /> : <IconCopy size={13} />}
        onClick={() => copy.mutate()}
      >
        {t(copy.isSuccess ? 'requests.copied' : 'requests.copy')}
      </Button>
      {copy.isError && (
        <span role="status" className={style.copyFailed}>
          {t('requests.copyFailed')}
        </span>
      )}
    </>
  )
}
