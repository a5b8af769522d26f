import type { destinationGet } from '@hilum/contract/calls/destination'
import type { Handler } from '../handler.ts'
import { presentDestination } from './destination.presenter.ts'
import { findDestination } from './destination.sql.ts'

export const get: Handler<typeof destinationGet> = async ({ services, input, fail }) => {
  const destination = await findDestination(services.db, input.uuid)
  if (!destination) throw fail('NOT_FOUND')
  return presentDestination(destination)
}
