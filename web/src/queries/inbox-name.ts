import { t } from '../labels/label.ts'
import type { Inbox } from './namespaces.ts'

/** Name of a place: a group's own name, or our word for the personal place and the organisation's. */
export function inboxName({ kind, name }: Pick<Inbox, 'kind' | 'name'>): string {
  if (kind === 'mine') return t('nav.myStudies')
  return kind === 'organisation' ? t('nav.organisationInbox') : name
}
