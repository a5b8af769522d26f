import { outsideList } from '@hilum/contract/calls/outside'
import { t } from '../../../labels/label.ts'
import { partOf, useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import style from '../users/users.module.css'
import { OutsideGrid } from './outside-grid.tsx'

/** Accesses of people outside, whoever of the organisation gave them, for its administrators. */
export function OutsideOfEveryone() {
  const maySee = useMayCall(partOf(outsideList, 'everyone'))
  return (
    <TitledSection id="outside" title={t('outside.title')}>
      {maySee ? <OutsideGrid isEveryone /> : <Banner tone="failed">{t('connections.notPermitted')}</Banner>}
    </TitledSection>
  )
}

/** Accesses of people outside that the person gave. */
export function OwnOutside() {
  const isAdministrator = useMayCall(partOf(outsideList, 'everyone'))
  return (
    <TitledSection id="outside" title={t('outside.title')}>
      <OutsideGrid isEveryone={false} />
      {isAdministrator && (
        <p className={style.hint}>
          <a href="/administration/outside">{t('outside.whole')}</a>
        </p>
      )}
    </TitledSection>
  )
}
