/**
 * Whether PostgreSQL refused a study because its place was deleted while it came: `refuse_gone_namespace` of migration
 * 0046 says so.
 */
export function isPlaceGone(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown } // both are compared
  return code === 'P0001' && message === 'the place of the study was deleted meanwhile'
}
