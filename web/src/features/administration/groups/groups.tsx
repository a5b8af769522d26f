import { t } from '../../../labels/label.ts'
import type { PlaceKinds } from '../../../queries/account-groups.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TitledSection } from '../../../ui/titled-section.tsx'
import { useAddress } from '../../../ui/use-address.ts'
import { PlaceGrid } from './place-grid.tsx'
import { membersCalls, placeParameters } from './place-kinds.ts'
import { PlaceMembers } from './place-members.tsx'

/** The groups of the organisation, for those who may view or edit them (PERM-03); with a group in the address its people. */
export function Groups() {
  return <PlacePage of="groups" />
}

/** The locations of the organisation, as the groups. */
export function Locations() {
  return <PlacePage of="locations" />
}

function PlacePage({ of }: { of: PlaceKinds }) {
  const maySee = useMayCall(membersCalls[of])
  const [address] = useAddress()
  const placeId = address.get(placeParameters[of])
  return (
    <TitledSection id={of} title={t(`${of}.title`)}>
      {!maySee && <Banner tone="failed">{t(`${of}.notPermitted`)}</Banner>}
      {maySee && (placeId ? <PlaceMembers key={placeId} of={of} placeId={placeId} /> : <PlaceGrid of={of} />)}
    </TitledSection>
  )
}
