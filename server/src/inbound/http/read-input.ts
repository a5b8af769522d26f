import type { AnyCall } from '@hilum/contract/call'
import { readCallInput } from '@hilum/contract/call-input'
import { ApiError } from '@hilum/contract/errors'

/**
 * Parses what was sent by the call's own schema.
 * @throws ApiError with the first fault: MISSING_FIELDS names all that are absent, others their field
 */
export function readInput(call: AnyCall, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read = readCallInput(call, raw)
  if ('input' in read) return read.input
  const { code, subtype } = read.fault
  throw new ApiError(code, { subtype })
}
