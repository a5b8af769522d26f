import type { locationList } from '@hilum/contract/calls/location'
import { listPlaces } from '../group/list-places.ts'
import type { Handler } from '../handler.ts'

export const list: Handler<typeof locationList> = async (request) => {
  const { rows, page } = await listPlaces(request, 'location', 'seeLocation')
  return { locations: rows, page }
}
