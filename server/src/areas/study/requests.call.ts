import { maxStudyRequests, type studyRequests } from '@hilum/contract/calls/study-requests'
import { compareIdentities } from '@hilum/dicom/identity'
import type { Handler } from '../handler.ts'
import { countOpenRequests, listExpecting, listRequestsOfStudy, type LinkRow } from '../link/link-list.sql.ts'
import { presentLink } from '../link/link.presenter.ts'
import { mayKnowExpected } from '../link/link-place.policy.ts'
import { publicAddress } from '../mail/public-address.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { findPatient } from './related.sql.ts'

/** Open requests of a namespace whose patients are compared with that of the study, the newest. */
const maxCompared = 1000

export const requests: Handler<typeof studyRequests> = async ({ services, on, origin }) => {
  const { record, membership } = on
  const address = publicAddress(services.config, origin)
  const present = (row: LinkRow) => presentLink(row, services, membership, address)
  const cameBy = await listRequestsOfStudy(services.db, record, maxStudyRequests)
  const isKnown = (row: LinkRow) => cameBy.some(({ uuid }) => uuid === row.uuid)
  const patient = mayKnowExpected(membership) ? await findPatient(services.db, record) : undefined
  const named = patient ? await listExpecting(services.db, record.phi_namespace, maxCompared) : []
  const expecting = named.filter((row) => patient && expects(row, patient) && !isKnown(row)).slice(0, maxStudyRequests)
  const shown = [...cameBy, ...expecting].filter(({ state }) => state === 'open' || state === 'locked')
  const open = await countOpenRequests(services.db, record.phi_namespace)
  return {
    came_by: cameBy.map(present),
    expecting: expecting.map(present),
    others: Math.max(0, open - shown.length),
  }
}

/** Whether a request asks for a study of this patient, or of somebody who is likely the same. */
function expects({ expected, own_issuer: issuer }: LinkRow, patient: ComparedPatient): boolean {
  if (!expected) return false
  return compareIdentities(asIdentity({ ...expected, issuer }), asIdentity(patient)).verdict !== 'different'
}
