import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { UploadWizard } from '../features/upload/upload-wizard.tsx'
import { t } from '../labels/label.ts'
import { HeardOnly } from '../ui/heard-only.tsx'

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
      <HeardOnly as="h1">{t('nav.upload')}</HeardOnly>
      <UploadWizard groupId={group} onLeave={handleLeave} />
    </>
  )
}
