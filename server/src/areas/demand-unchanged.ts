import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@hilum/contract/errors'

/**
 * Refuses a change of what somebody else has changed since it was read.
 * @param seen fields as the caller read them; undefined from callers who do not say
 * @param now what reading answers inside the transaction of the change
 * @throws ApiError STALE, with `subtype` where it is given
 */
export function demandUnchanged(
  seen: Readonly<Record<string, unknown>> | undefined,
  now: object,
  subtype?: string,
): void {
  const present = new Map<string, unknown>(Object.entries(now))
  const isSame = Object.entries(seen ?? {}).every(([name, value]) => isDeepStrictEqual(value, present.get(name)))
  if (!isSame) throw new ApiError('STALE', subtype === undefined ? {} : { subtype })
}
