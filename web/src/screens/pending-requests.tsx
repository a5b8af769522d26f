import { linkAdd } from '@hilum/contract/calls/link'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RequestList } from '../features/requests/request-list.tsx'
import { RequestPanel } from '../features/requests/request-panel.tsx'
import { t } from '../labels/label.ts'
import type { Inbox } from '../queries/namespaces.ts'
import { readRequestSort } from '../queries/requests.ts'
import { inPlace, mayCall } from '../session/use-may.ts'
import { QuietState } from '../ui/quiet-state.tsx'
import style from './screens.module.css'

/** PERM-08, PANEL-01: the requests of a group for studies, and the one in hand beside them. */
export function PendingRequests({ inbox }: { inbox: Inbox }) {
  const { request, requests, sort, page = 1 } = useSearch({ strict: false })
  const navigate = useNavigate()
  const put = (
    change: { request?: string | undefined; requests?: string | undefined; sort?: string; page?: number | undefined },
    replace = true,
  ) => void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const showExam = (study: string) =>
    void navigate({
      to: '/group/$groupId/{-$state}',
      params: { groupId: inbox.id, state: 'Inbox' },
      search: { study },
    })
  const ask = () => void navigate({ to: '/study/request/$groupId', params: { groupId: inbox.id } })
  return (
    <div className={style.split} data-pane={request ? 'panel' : 'list'}>
      <RequestList
        namespaceId={inbox.namespaceId}
        kind={requests === 'ended' ? 'ended' : 'open'}
        sort={readRequestSort(sort)}
        page={page}
        selectedUuid={request}
        onAsk={mayCall(inPlace(linkAdd), inbox.permissions) ? ask : undefined}
        onSelect={(uuid) => put({ request: uuid }, request !== undefined)}
        onKind={(next) =>
          put({ requests: next === 'ended' ? next : undefined, page: undefined, request: undefined }, false)
        }
        onSort={(next) => put({ sort: next, page: undefined })}
        onPage={(next) => put({ page: next > 1 ? next : undefined, request: undefined }, false)}
      />
      {request ? (
        <RequestPanel key={request} uuid={request} onClose={() => put({ request: undefined })} onOpenExam={showExam} />
      ) : (
        <section className={style.noPanel} aria-label={t('requests.title')}>
          <QuietState title={t('requests.choose')} />
        </section>
      )}
    </div>
  )
}
