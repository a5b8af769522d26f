import type { AnyCall } from '@hilum/contract/call'
import { ApiError, type ErrorCode, errors } from '@hilum/contract/errors'
import type * as z from 'zod/mini'

/**
 * Parses what was sent by the call's own schema.
 * @throws ApiError with the first fault: MISSING_FIELDS names all that are absent, others their field
 */
export function readInput(call: AnyCall, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = call.input.safeParse(raw)
  if (parsed.success) return parsed.data as Record<string, unknown>
  const issues = parsed.error.issues
  const missing = issues.filter((issue) => isAbsent(raw, issue)).map(nameOf)
  if (missing.length > 0) throw new ApiError('MISSING_FIELDS', { subtype: [...new Set(missing)] })
  const issue = issues[0] as z.core.$ZodIssue
  throw new ApiError(codeOf(issue) ?? 'INVALID_FIELD', { subtype: nameOf(issue) })
}

function isAbsent(raw: Readonly<Record<string, unknown>>, issue: z.core.$ZodIssue): boolean {
  if (codeOf(issue) === 'MISSING_FIELDS') return true
  const value = raw[nameOf(issue)]
  return issue.path.length === 1 && (value === undefined || value === null || value === '')
}
function nameOf(issue: z.core.$ZodIssue): string {
  return String(issue.path[0] ?? '')
}
function codeOf(issue: z.core.$ZodIssue): ErrorCode | undefined {
  const code = 'params' in issue ? (issue.params as { code?: string } | undefined)?.code : undefined
  return code && code in errors ? (code as ErrorCode) : undefined
}
