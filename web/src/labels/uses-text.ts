import { t } from './label.ts'

/** Names of the routing rules and groups that keep something from being deleted, in words; `data` as IN_USE gives it. */
export function usesText(data: unknown): string {
  const { routes = [], groups = [] } = (data ?? {}) as { routes?: string[]; groups?: string[] } // as the calls give them
  return [
    routes.length > 0 ? t('routing.uses.routes', { names: routes.join(', ') }) : '',
    groups.length > 0 ? t('routing.uses.groups', { names: groups.join(', ') }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
