import type { ComponentProps } from 'react'
import { ObjectFields } from '../../fields/object-fields.tsx'
import { t } from '../../labels/label.ts'

/** The custom fields of an object as a part of its form with a heading; nothing where none are defined. */
export function ObjectFieldPart({
  className,
  ...custom
}: ComponentProps<typeof ObjectFields> & { className?: string | undefined }) {
  if (!custom.fields) return <ObjectFields {...custom} />
  if (custom.fields.length === 0) return null
  return (
    <fieldset className={className}>
      <legend>{t('customFields.part')}</legend>
      <ObjectFields {...custom} />
    </fieldset>
  )
}
