import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { UploadWizard } from '../features/upload/upload-wizard.tsx'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { HeardOnly } from '../ui/heard-only.tsx'

/** ROUTE-04 */
export function UploadScreen() {
  const { group } = useSearch({ from: '/signed-in/dashboard/study/upload' })
  const navigate = useNavigate()
  const handleShow = (groupId: string, study?: string) =>
    void navigate({ to: '/group/$groupId/{-$state}', params: { groupId }, search: study ? { study } : {} })
  return (
    <>
      <HeardOnly as="h1">{t('nav.upload')}</HeardOnly>
      <UploadWizard groupId={group} onLeave={() => void navigate({ to: '/group/list' })} onShow={handleShow} />
    </>
  )
}

/** The wizard alone, for people of an account without the inbox (ROUTE-13) who may upload. */
export function UploadOnlyScreen() {
  const navigate = useNavigate()
  return (
    <PageFrame isBroad>
      <HeardOnly as="h1">{t('nav.upload')}</HeardOnly>
      <UploadWizard onLeave={() => void navigate({ to: '/404' })} />
    </PageFrame>
  )
}
