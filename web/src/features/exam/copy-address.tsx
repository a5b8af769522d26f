import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { IconCheck, IconCopy } from '../../ui/icons.ts'
import style from './links.module.css'

/** The address of a link, to be read and copied. */
export function CopyAddress({ address }: { address: string }) {
  return (
    <div className={style.address}>
      <TextInput
        size="xs"
        readOnly
        aria-label={t('links.address')}
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton address={address} />
    </div>
  )
}

/** Copies an address, and says so on the button itself. */
export function CopyButton({ address, size = 'xs' }: { address: string; size?: 'xs' | 'compact-xs' }) {
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(address) })
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={copy.isSuccess ? <IconCheck size={13} /> : <IconCopy size={13} />}
        onClick={() => copy.mutate()}
      >
        {t(copy.isSuccess ? 'links.copied' : 'links.copy')}
      </Button>
      {copy.isError && (
        <span role="status" className={style.copyFailed}>
          {t('links.copyFailed')}
        </span>
      )}
    </>
  )
}
