import { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { useQueries } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { accessQuery } from '../../queries/shares.ts'
import { mayCall } from '../../session/use-may.ts'
import style from './acts.module.css'

/** Exams whose shares are asked for; of more the question says that they were not looked through. */
const askedExams = 20

/** Groups and people that lose exams by a deletion, and those that keep them, since they were shared. */
export function DeletionReach({ studies }: { studies: readonly Study[] }) {
  const places = [...new Set(studies.map((study) => study.phi_namespace_name).filter(Boolean))]
  const asked = studies.filter(({ permissions }) => mayCall(studyShareAccess, permissions)).slice(0, askedExams)
  // A key of its own: what becomes of an exam while the question stands, its deletion too, asks nothing again.
  const answers = useQueries({
    queries: asked.map(({ uuid }) => ({ ...accessQuery(uuid), queryKey: ['deletion-reach', uuid], gcTime: 0 })),
  })
  const shares = answers.flatMap(({ data }) => data?.shares ?? [])
  const keepers = [...new Set(shares.filter(({ state }) => state === 'delivered').map(({ name }) => name))]
  const isUnknown = asked.length < studies.length || answers.some(({ isError }) => isError)
  return (
    <>
      {places.length > 0 && <p>{t('delete.losers', { who: places.join(', ') })}</p>}
      {answers.some(({ isPending }) => isPending) && <p>{t('delete.looking')}</p>}
      {keepers.length > 0 && (
        <p>
          {t('delete.keepers')}
          <strong className={style.reason}>{keepers.join(', ')}</strong>
        </p>
      )}
      {isUnknown && <p>{t('delete.notAllKnown')}</p>}
    </>
  )
}
