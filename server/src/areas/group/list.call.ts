import type { groupList } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { listPlaces } from './list-places.ts'

export const list: Handler<typeof groupList> = async (request) => {
  const { rows, page } = await listPlaces(request, 'group', 'seeGroup')
  return { groups: rows, page }
}
