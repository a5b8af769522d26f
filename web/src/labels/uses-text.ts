import { t } from './label.ts'

type Uses = Partial<Record<'routes' | 'groups' | 'destinations', string[]>>

/** Names of what keeps something from being deleted, in words; `data` as IN_USE gives it. */
export function usesText(data: unknown): string {
  const { routes = [], groups = [], destinations = [] } = (data ?? {}) as Uses // as the calls give them
  return [
    routes.length > 0 ? t('routing.uses.routes', { names: routes.join(', ') }) : '',
    groups.length > 0 ? t('routing.uses.groups', { names: groups.join(', ') }) : '',
    destinations.length > 0 ? t('routing.uses.destinations', { names: destinations.join(', ') }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
