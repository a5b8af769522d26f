import { t } from '../../labels/label.ts'

/** The title of a form of something that is there: what is done, and to which one. Its name is not known while it is loaded. */
export function titleOfForm(title: string, name: string | undefined): string {
  return name ? t('admin.titleOf', { title, name }) : title
}
