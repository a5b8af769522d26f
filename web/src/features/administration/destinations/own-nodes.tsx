import { groupUserList } from '@hilum/contract/calls/group'
import { locationUserList } from '@hilum/contract/calls/location'
import type { CalledPlace } from '@hilum/contract/calls/node'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../labels/label.ts'
import { type OwnNodeFacts as Found, ownNodesQuery } from '../../../queries/own-nodes.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { TitledSection } from '../../../ui/titled-section.tsx'
import style from '../users/users.module.css'
import { CallingNodes } from './calling-nodes.tsx'
import own from './own-nodes.module.css'

/** The nodes of this installation, as others enter them: AE titles, ports, and who may do what; and the titles that we call by. */
export function OwnNodes() {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(ownNodesQuery(account.uuid))
  return (
    <TitledSection id="own-nodes" title={t('ownNodes.title')} className={own.own}>
      <p className={style.lead}>{t('ownNodes.lead')}</p>
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('ownNodes.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data && <Ports found={data} />}
      {data && <Called found={data} />}
      {data && <CallingNodes nodes={data.calling} />}
      {data && <p className={style.lead}>{t('ownNodes.elsewhere')}</p>}
    </TitledSection>
  )
}

function Ports({ found }: { found: Found }) {
  const { port, tls_port: tlsPort, tls_asks_certificate: asks, is_local: isLocal } = found
  const host = found.host || location.hostname
  const secure = asks === 1 ? 'ownNodes.tlsWithCertificate' : 'ownNodes.tls'
  return (
    <p className={style.lead}>
      {port > 0 ? t('ownNodes.port', { host, port }) : t('ownNodes.anyPort')}{' '}
      {tlsPort > 0 ? t(secure, { port: tlsPort }) : t('ownNodes.noTls')}
      {isLocal === 1 && <> {t('ownNodes.closed', { host })}</>}
    </p>
  )
}

function Called({ found: { places, more } }: { found: Found }) {
  if (places.length === 0) {
    return (
      <p className={style.lead} role="status">
        {t('ownNodes.empty')}
      </p>
    )
  }
  return (
    <>
      <table className={table.table} aria-labelledby="own-nodes">
        <thead>
          <tr>
            <th scope="col">{t('ownNodes.called')}</th>
            <th scope="col">{t('ownNodes.place')}</th>
            <th scope="col">{t('ownNodes.senders')}</th>
            <th scope="col">{t('ownNodes.askers')}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((one) => (
            <PlaceRow key={`${one.kind} ${one.uuid}`} one={one} />
          ))}
        </tbody>
      </table>
      {more === 1 && <p className={style.lead}>{t('ownNodes.more', { count: places.length })}</p>}
    </>
  )
}

function PlaceRow({ one }: { one: CalledPlace }) {
  const { senders, query_peers: askers, worklist_peers: modalities } = one
  return (
    <tr>
      <th scope="row">{one.ae_title}</th>
      <td>
        <PlaceName one={one} />
        <span className={table.aside}>{t(`ownNodes.kind.${one.kind}`)}</span>
      </td>
      <td>{senders.join(', ') || t(one.is_closed_to_senders === 1 ? 'ownNodes.nobody' : 'ownNodes.thisMachine')}</td>
      <td>
        {t('ownNodes.queries', { who: askers.join(', ') || t('ownNodes.nobody') })}
        <span className={table.aside}>
          {t('ownNodes.worklist', { who: modalities.join(', ') || t('ownNodes.nobody') })}
        </span>
      </td>
    </tr>
  )
}

/** The name, as a link to the page where title and senders are changed, for those who may open it. */
function PlaceName({ one: { kind, name } }: { one: CalledPlace }) {
  const maySeeGroups = useMayCall(groupUserList)
  const maySeeLocations = useMayCall(locationUserList)
  if (kind === 'group' && maySeeGroups) return <Link to="/administration/groups">{name}</Link>
  if (kind === 'location' && maySeeLocations) return <Link to="/administration/locations">{name}</Link>
  return name
}
