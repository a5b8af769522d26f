import type { AnyCall } from '@hilum/contract/call'
import { ApiError } from '@hilum/contract/errors'

/** Parameters that every call takes. */
const ofEveryCall: ReadonlySet<string> = new Set(['sid', 'fields._top'])
/** Parameters that narrow or order a list; a call that cannot do it must not answer as if it had. */
const ofLists = /^(filter\..+|filter_id|sort_by)$/

/**
 * Refuses what the call has no use for: of a writing call every parameter that it does not declare, of a reading one
 * that is no list, filters and sorts. Other parameters of reading calls are passed over.
 * @throws ApiError INVALID_FIELD naming the first of them
 */
export function refuseUnknownParameters(call: AnyCall, raw: Readonly<Record<string, unknown>>): void {
  if (call.list && call.reads) return
  const declared = 'shape' in call.input ? (call.input.shape as object) : {}
  const unknown = Object.keys(raw).find((name) => {
    if (Object.hasOwn(declared, name) || ofEveryCall.has(name)) return false
    if (call.reads) return ofLists.test(name)
    if (call.list && ofLists.test(name)) return false
    if (call.once && name === 'idempotency_key') return false
    if (call.takesSettings && name.startsWith('setting_')) return false
    if (call.takesPermissions && name.startsWith('permission_')) return false
    return !(call.takesCustomFields && name.startsWith('customfield-'))
  })
  if (unknown !== undefined) throw new ApiError('INVALID_FIELD', { subtype: unknown })
}
