import { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { type LosersOfPlace, losersOfPlacesQuery } from '../../queries/losers-of-places.ts'
import { sharesOfAllQuery } from '../../queries/shares.ts'
import { mayCall } from '../../session/use-may.ts'
import style from './acts.module.css'

/** Groups and people that lose exams by a deletion, and those that keep them, since they were shared. */
export function DeletionReach({ studies }: { studies: readonly Study[] }) {
  const places = [...new Map(studies.map((study) => [study.phi_namespace, study.phi_namespace_name]))]
  const losers = useQuery(losersOfPlacesQuery(places.map(([uuid]) => uuid)))
  const asked = studies.filter(({ permissions }) => mayCall(studyShareAccess, permissions)).map(({ uuid }) => uuid)
  const { data, isPending, isError } = useQuery({ ...sharesOfAllQuery(asked), enabled: asked.length > 0 })
  const shares = data?.shares ?? []
  const copyHolders = [...new Set(shares.filter(({ state }) => state === 'delivered').map(({ name }) => name))]
  const isUnknown = asked.length < studies.length || isError || data?.isWhole === false
  return (
    <>
      {places.map(([uuid, name]) => name && <p key={uuid}>{losersText(name, losers.data?.get(uuid))}</p>)}
      {asked.length > 0 && isPending && <p>{t('delete.looking')}</p>}
      {copyHolders.length > 0 && (
        <p>
          {t('delete.keepers')}
          <strong className={style.reason}>{copyHolders.join(', ')}</strong>
        </p>
      )}
      {isUnknown && <p>{t('delete.notAllKnown')}</p>}
    </>
  )
}

/** @param losers undefined while nobody is known, and where the server did not tell */
function losersText(where: string, losers: LosersOfPlace | undefined): string {
  if (!losers) return t('delete.losers', { who: where })
  if (losers.count === 0) return t('delete.losersNobody', { where })
  const named = { where, count: losers.count, names: losers.people.map(({ name }) => name).join(', ') }
  return losers.people.length < losers.count ? t('delete.losersAmong', named) : t('delete.losersNamed', named)
}
