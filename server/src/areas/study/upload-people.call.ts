import type { studyUploadPeople } from '@hilum/contract/calls/study-mrn'
import type { Handler } from '../handler.ts'
import { findClashes, presentClashes } from './mrn-clashes.ts'
import { findOwnIssuer, listMrnHolders } from './mrn-holders.sql.ts'

export const uploadPeople: Handler<typeof studyUploadPeople> = async ({ services, input, caller, on }) => {
  const ownIssuer = await findOwnIssuer(services.db, on.accountUuid)
  const patientids = [...new Set(input.people.map((one) => one.patientid))]
  const holders = await listMrnHolders(services.db, on.accountUuid, patientids)
  const people = input.people.map(({ study_uids: studyUids, issuer = ownIssuer, ...one }) => {
    const others = holders.filter(
      (holder) => holder.phi_namespace !== on.namespaceUuid || !studyUids.includes(holder.study_uid),
    )
    return presentClashes(caller, one.patientid, findClashes({ ...one, issuer }, others))
  })
  return { people: await Promise.all(people) }
}
