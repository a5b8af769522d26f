/**
 * Two transactions locked each other out or made the same row, and the database undid this one: it may be tried again.
 * Source: PostgreSQL, Appendix A, class 40 and 23505.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['40P01', '40001', '23505'].includes(String(error.code))
}
