import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useRef } from 'react'

interface PickButtonProps {
  label: string
  onPicked: (files: FileList | null) => void
  /** Folders, kinds of files, or the camera. */
  input?: ComponentProps<'input'> & { webkitdirectory?: string }
  variant?: 'filled' | 'default' | 'subtle'
  size?: 'sm' | 'compact-sm'
  icon?: ReactNode
  className?: string
  /** Asks for files in another way, where the browser has one. False when the browser refuses to ask so. */
  onAsk?: (() => Promise<boolean>) | undefined
}

/** Opens the browser's choice of files. */
export function PickButton({ label, onPicked, input, variant, size, icon, className, onAsk }: PickButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  const handleClick = async () => {
    if (onAsk && (await onAsk())) return
    if (!field.current) return
    field.current.value = '' // The same files may be chosen again.
    field.current.click()
  }
  return (
    <>
      <Button
        {...(variant ? { variant } : {})}
        {...(size ? { size } : {})}
        {...(className ? { className } : {})}
        leftSection={icon}
        onClick={() => void handleClick()}
      >
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...input}
        onChange={(event) => onPicked(event.currentTarget.files)}
      />
    </>
  )
}

/** Kinds that become images. A phone that is asked for these alone gives its own kinds of photos as JPEG. */
export const photoTypes = 'image/jpeg,image/png,image/tiff,application/pdf'
