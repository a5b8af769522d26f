import { hasHiddenSign } from '@hilum/contract/hidden-signs'
import { Textarea as MantineTextarea, TextInput as MantineTextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { t } from '../labels/label.ts'

/** The field of one line for all that people type: a sign that cannot be seen is told at once, as the server refuses it. */
export function TextInput(field: ComponentProps<typeof MantineTextInput>) {
  return <MantineTextInput {...field} error={hiddenSignText(field.value) ?? field.error} />
}

/** As `TextInput`, of several lines. */
export function Textarea(field: ComponentProps<typeof MantineTextarea>) {
  return <MantineTextarea {...field} error={hiddenSignText(field.value) ?? field.error} />
}

function hiddenSignText(value: unknown): string | undefined {
  return typeof value === 'string' && hasHiddenSign(value) ? t('value.hidden') : undefined
}
