import { hasHiddenSign } from '@hilum/contract/hidden-signs'
import { Textarea as MantineTextarea, TextInput as MantineTextInput } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { t } from '../labels/label.ts'

/** The field of one line for all that people type: a sign that cannot be seen is told at once, as the server refuses it. */
export function TextInput(field: ComponentProps<typeof MantineTextInput>) {
  return <MantineTextInput {...field} error={faultOf(field)} />
}

/** As `TextInput`, of several lines. */
export function Textarea(field: ComponentProps<typeof MantineTextarea>) {
  return <MantineTextarea {...field} error={faultOf(field)} />
}

interface Field {
  value?: unknown
  type?: string | undefined
  inputMode?: string | undefined
  error?: ReactNode
}

/** An address that a mail program copies brings such signs along, and is read without them. */
function faultOf({ value, type, inputMode, error }: Field): ReactNode {
  const isAddress = type === 'email' || inputMode === 'email'
  return !isAddress && typeof value === 'string' && hasHiddenSign(value) ? t('value.hidden') : error
}
