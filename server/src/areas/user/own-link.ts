import { ApiError } from '@hilum/contract/errors'
import type { Services } from '../../services.ts'
import type { Origin } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'

/**
 * Refuses a link that would lead people elsewhere from a mail of this installation, which reads like its own.
 * @throws ApiError INVALID_LINK
 */
export function demandOwnLink(
  { services, origin }: { services: Pick<Services, 'config'>; origin: Origin },
  name: string,
  sent: string | undefined,
): void {
  if (!sent?.trim()) return
  const own = new URL(publicAddress(services.config, origin)).origin
  if (!URL.canParse(sent) || new URL(sent).origin !== own) throw new ApiError('INVALID_LINK', { subtype: name })
}
