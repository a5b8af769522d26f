import { Button } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { IconArrowUp } from '../../ui/icons.ts'

/** Studies that came while the list was held still: pressed, they are shown. */
export function ArrivedButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Button
      size="compact-xs"
      variant="light"
      ml={8}
      leftSection={<IconArrowUp size={13} />}
      aria-label={t('list.arrived', { count })}
      onClick={onShow}
    >
      {t('list.arrivedShort', { count })}
    </Button>
  )
}
