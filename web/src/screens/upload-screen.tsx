import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { UploadWizard } from '../features/upload/upload-wizard.tsx'
import { t } from '../labels/label.ts'
import style from './screens.module.css'

/** ROUTE-04 */
export function UploadScreen() {
  const { group } = useSearch({ from: '/signed-in/dashboard/study/upload' })
  const navigate = useNavigate()
  const handleLeave = (groupId?: string) =>
    void (groupId
      ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId } })
      : navigate({ to: '/group/list' }))
  return (
    <>
      <h1 className={style.vh}>{t('nav.upload')}</h1>
      <UploadWizard groupId={group} onLeave={handleLeave} />
    </>
  )
}
