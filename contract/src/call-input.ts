import type * as z from 'zod/mini'
import type { AnyCall } from './call.ts'
import { type ErrorCode, errors } from './errors.ts'

/** The first fault of what was sent: MISSING_FIELDS names all fields that are absent, others their field. */
interface InputFault {
  code: ErrorCode
  subtype: string | readonly string[]
}

/** Reads what was sent by the call's own schema, for the server and for the forms that send it. */
export function readCallInput(
  call: AnyCall,
  raw: Readonly<Record<string, unknown>>,
): { input: Record<string, unknown> } | { fault: InputFault } {
  const parsed = call.input.safeParse(raw)
  if (parsed.success) return { input: parsed.data as Record<string, unknown> }
  const issues = parsed.error.issues
  const missing = issues.filter((issue) => isAbsent(raw, issue)).map(nameOf)
  if (missing.length > 0) return { fault: { code: 'MISSING_FIELDS', subtype: [...new Set(missing)] } }
  const issue = issues[0] as z.core.$ZodIssue
  return { fault: { code: codeOf(issue) ?? 'INVALID_FIELD', subtype: nameOf(issue) } }
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
