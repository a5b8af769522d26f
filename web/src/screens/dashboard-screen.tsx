import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Shell } from '../features/shell/shell.tsx'
import { useInboxes } from '../queries/namespaces.ts'
import { useLiveStudies } from '../queries/live-studies.ts'
import { useShareNotices } from '../queries/share-notices.ts'
import { fetchViewersAhead } from '../session/fetch-viewers-ahead.ts'

/** The shell around every screen of the dashboard; it keeps the live line to the groups of the account. */
export function DashboardScreen() {
  const inboxes = useInboxes()
  useLiveStudies(inboxes)
  useShareNotices(inboxes)
  useEffect(() => fetchViewersAhead(), [])
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}
