import { maxNamedPeople, type studyDeletePeople } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { listOthersOfPlace } from './people-of-place.sql.ts'

export const deletePeople: Handler<typeof studyDeletePeople> = async ({ services, caller, on }) => {
  const rows = await listOthersOfPlace(services.db, on.namespaceUuid, caller.userUuid, maxNamedPeople)
  return { count: rows[0]?.total ?? 0, people: rows.map(({ name }) => ({ name })) }
}
